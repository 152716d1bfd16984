import { baseName, reportError } from '#base';
import type { Answer, Citation, ResearchEvent, UnstampedEvent } from '#research';
import type { Hop, Passage, Question, ReferenceAnswer, Retriever, Translate } from '#search';
import { inEnglish } from '#search/notices';
import { isPairCode, reasonInWords } from '#search/reasons';
import { sourceLabel } from '../labels.ts';
import type { ReferenceSource } from '../references/language-servers.ts';

interface ConnectPorts {
  retriever: Pick<Retriever, 'connect' | 'references' | 'passages'>;
  now(): number;
  newId(): string;
  /** Into the language of the editor; English where it is not given. */
  t?: Translate;
  /** Who found the way between names, once it is found. */
  foundBy?(): ReferenceSource | undefined;
}

/** A way between two ends: its hops, and other ways by their hops. Without hops there is none. */
interface Way {
  hops: Hop[];
  others: Hop[][];
  coverage: Answer['coverage'];
}

/**
 * The way between two files or two names of a program as a run: found by the index and the editor alone, and shown like
 * any other answer.
 */
export async function* connectRun(
  { text: question, runId: askedAs }: Question,
  from: string,
  to: string,
  ports: ConnectPorts,
  signal: AbortSignal,
  between: 'files' | 'names' = 'files',
): AsyncGenerator<ResearchEvent> {
  const runId = askedAs ?? ports.newId();
  const began = ports.now();
  const usage = () => ({
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    estimated: false,
    retrievals: 1,
    seconds: (ports.now() - began) / 1000,
  });
  const stamp = (event: UnstampedEvent): ResearchEvent => ({ ...event, runId, time: ports.now() }) as ResearchEvent;
  yield stamp({ type: 'run-start', question, asked: question, model: null });
  try {
    const find = between === 'names' ? wayBetweenNames : wayBetweenFiles;
    const way = await find(ports.retriever, from, to, signal);
    yield stamp({
      type: 'answer-end',
      answer: answerOf(way, { from, to, foundBy: ports.foundBy?.() }, ports.t ?? inEnglish),
    });
    yield stamp({ type: 'run-end', usage: usage() });
  } catch (error) {
    yield signal.aborted
      ? stamp({ type: 'run-cancelled', usage: usage() })
      : stamp({ type: 'run-error', error: reportError(error), usage: usage() });
  }
}

async function wayBetweenFiles(
  retriever: ConnectPorts['retriever'],
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Way> {
  const { chains, coverage } = await retriever.connect(from, to, {}, signal);
  const [best, ...others] = chains;
  return { hops: best?.hops ?? [], others: others.map((chain) => chain.hops), coverage };
}

async function wayBetweenNames(
  retriever: ConnectPorts['retriever'],
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Way> {
  const found = await retriever.references({ symbol: from, to, kind: 'reaches' }, signal);
  const isWay = found.route !== undefined && found.references.length > 0;
  const places = isWay ? [...found.definitions, ...found.references] : [];
  const passages = await retriever.passages([...new Set(places.map(({ passageId }) => passageId))], signal);
  return { hops: isWay ? hopsOf(found, passages) : [], others: [], coverage: found.coverage };
}

/** The passages of a way in its order: where a step is made, and the definition that it leads to. */
function hopsOf({ definitions, references }: ReferenceAnswer, passages: readonly Passage[]): Hop[] {
  const hops: Hop[] = [];
  const add = (passageId: string, why: Hop['why']): void => {
    const passage = passages.find(({ id }) => id === passageId);
    if (!passage || hops.some((hop) => hop.passage.id === passageId)) return;
    hops.push({ passage, score: 0, why: { ...why, ...(hops.length > 0 && { from: hops.length - 1 }) } });
  };
  const [start] = definitions;
  if (start)
    add(start.passageId, {
      kind: 'question',
      because: { code: 'defines-asked', what: start.name },
      terms: [start.name],
    });
  for (const [i, { passageId, relation, from, to, path, line }] of references.entries()) {
    const code = relation === 'types' ? 'names-type' : isPairCode(relation) ? relation : 'names';
    const why: Hop['why'] = { kind: 'link', because: { code, who: from || path, what: to, line }, terms: [to] };
    add(passageId, why);
    const next = definitions[i + 1];
    if (next) add(next.passageId, why);
  }
  return hops;
}

/** The first way told hop by hop, other ways as a line each. */
function answerOf(
  { hops, others, coverage }: Way,
  { from, to, foundBy }: { from: string; to: string; foundBy: ReferenceSource | undefined },
  t: Translate,
): Answer {
  const passages = hops.map(({ passage }) => passage);
  const citations = passages.map(({ id, startLine, endLine }, index): Citation => ({
    number: index + 1,
    passageId: id,
    startLine,
    endLine,
  }));
  const abstained = hops.length === 0;
  const short = abstained
    ? ''
    : hops.length === 2
      ? t('{0} leads to {1} in 1 step.', nameOf(from), nameOf(to))
      : t('{0} leads to {1} in {2} steps.', nameOf(from), nameOf(to), Math.max(1, hops.length - 1));
  const steps = hops.map(({ passage, why }, index) => {
    const reason = index === 0 ? '' : reasonInWords(why, t).text;
    return `- ${nameOf(passage.path)} [${index + 1}]${reason === '' ? '' : `: ${reason}`}`;
  });
  const own = pathOf(hops);
  const ways = [...new Set(others.map(pathOf))].filter((way) => way !== own).slice(0, 2);
  const also = ways.length > 0 ? ['', t('Other ways:'), '', ...ways.map((way) => `- ${way}`)] : [];
  return {
    text: abstained
      ? ''
      : [short, '', ...steps, ...also, ...(foundBy ? ['', `*${sourceLabel(foundBy, t)}*`] : [])].join('\n'),
    short,
    abstained,
    ...(abstained && { abstainReason: t('No links, names or calls lead from {0} to {1}.', from, to) }),
    statements: [],
    citations,
    passages,
    chain: { hops, score: 0, completeness: abstained ? 0 : 1 },
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: [],
    by: 'extractive',
    coverage,
  };
}

const nameOf = (path: string): string => `\`${baseName(path)}\``;
const pathOf = (hops: readonly Hop[]): string => hops.map(({ passage }) => nameOf(passage.path)).join(' → ');
