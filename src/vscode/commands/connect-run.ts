import { baseName, reportError } from '#base';
import {
  type Answer,
  answerOfReferences,
  type Citation,
  passagesOf,
  planOfIndex,
  type ResearchEvent,
  summaryOf,
  type UnstampedEvent,
} from '#research';
import type { ChainResult, Question, Retriever, Translate } from '#search';
import { inEnglish } from '#search/notices';
import { reasonInWords } from '#search/reasons';

interface ConnectPorts {
  retriever: Pick<Retriever, 'connect' | 'references' | 'passages'>;
  now(): number;
  newId(): string;
  /** Into the language of the question and of the way between files; English where it is not given. */
  t?: Translate;
}

/**
 * The best chains between two files as a run: found by the index alone, shown like any other answer.
 * @param between Names of a program, and its files, have a way along what it says of them.
 */
export async function* connectRun(
  { text: question, runId: askedAs }: Question,
  fromPath: string,
  toPath: string,
  ports: ConnectPorts,
  signal: AbortSignal,
  between: 'files' | 'names' = 'files',
): AsyncGenerator<ResearchEvent> {
  const runId = askedAs ?? ports.newId();
  const stepId = ports.newId();
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
  const reason = between === 'names' ? 'It asks how one name leads to another.' : 'It asks what links two files.';
  yield stamp({ type: 'plan-proposed', plan: planOfIndex(reason) });
  yield stamp({ type: 'step-start', stepId, operator: 'extractive', question, dependsOn: [] });
  try {
    const find = between === 'names' ? wayBetween : chainsBetween;
    const { hits, answer } = await find(ports.retriever, fromPath, toPath, signal, ports.t ?? inEnglish);
    const { chain } = answer;
    yield stamp({
      type: 'passages-retrieved',
      stepId,
      query: `${fromPath} → ${toPath}`,
      hits,
      chain,
      milliseconds: ports.now() - began,
    });
    yield stamp({ type: 'step-end', stepId, outcome: chain.hops.length > 0 ? 'answered' : 'nothing-found' });
    yield stamp({ type: 'answer-end', answer });
    yield stamp({ type: 'run-end', usage: usage() });
  } catch (error) {
    yield signal.aborted
      ? stamp({ type: 'run-cancelled', usage: usage() })
      : stamp({ type: 'run-error', error: reportError(error), usage: usage() });
  }
}

interface Connection {
  hits: ChainResult['hits'];
  answer: Answer;
}

async function chainsBetween(
  retriever: ConnectPorts['retriever'],
  from: string,
  to: string,
  signal: AbortSignal,
  t: Translate,
): Promise<Connection> {
  const { hits, chains, coverage } = await retriever.connect(from, to, {}, signal);
  return { hits, answer: connectionAnswer(from, to, chains, coverage, t) };
}

/** How one name leads to another, step by step; without a way, how far was looked. */
async function wayBetween(
  retriever: ConnectPorts['retriever'],
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Connection> {
  const found = await retriever.references({ symbol: from, to, kind: 'reaches' }, signal);
  const passages = await retriever.passages(passagesOf(found), signal);
  const answer = answerOfReferences(found, passages);
  const hits = passages.map((passage) => ({ passage, score: 0, folded: [], parts: {} }));
  if (found.route) return { hits, answer };
  const near = found.near.length > 0 ? ` Names like it: ${found.near.join(', ')}.` : '';
  return {
    hits,
    answer: {
      ...answer,
      text: '',
      short: '',
      lead: undefined,
      abstained: true,
      abstainReason: summaryOf(found) + near,
    },
  };
}

const nameOf = (path: string): string => `\`${baseName(path)}\``;

/** The first chain told hop by hop; the others as a line each. */
function connectionAnswer(
  fromPath: string,
  toPath: string,
  chains: Awaited<ReturnType<Retriever['connect']>>['chains'],
  coverage: Answer['coverage'],
  t: Translate,
): Answer {
  const chain = chains[0] ?? { hops: [], score: 0, completeness: 0 };
  const passages = [...new Map(chain.hops.map((hop) => [hop.passage.id, hop.passage])).values()];
  const citations: Citation[] = passages.map((passage, index) => ({
    number: index + 1,
    passageId: passage.id,
    startLine: passage.startLine,
    endLine: passage.endLine,
  }));
  const mark = (passageId: string): string =>
    `[${citations.find((citation) => citation.passageId === passageId)?.number ?? ''}]`;
  const abstained = chain.hops.length === 0;
  const steps = chain.hops.map((hop, index) =>
    index === 0
      ? `- ${nameOf(hop.passage.path)} ${mark(hop.passage.id)}`
      : `- ${nameOf(hop.passage.path)} ${mark(hop.passage.id)}: ${reasonInWords(hop.why, t).text}`,
  );
  const others = chains
    .slice(1, 3)
    .map((other) => `- ${other.hops.map((hop) => nameOf(hop.passage.path)).join(' → ')}`);
  const hops = chain.hops.length - 1;
  const short = abstained
    ? ''
    : hops === 1
      ? t('{0} leads to {1} in 1 step.', nameOf(fromPath), nameOf(toPath))
      : t('{0} leads to {1} in {2} steps.', nameOf(fromPath), nameOf(toPath), hops);
  const text = abstained
    ? ''
    : [short, '', ...steps, ...(others.length > 0 ? ['', t('Other ways:'), '', ...others] : [])].join('\n');
  return {
    text,
    short,
    abstained,
    ...(abstained
      ? { abstainReason: `No chain of links, names or shared terms leads from ${fromPath} to ${toPath}.` }
      : {}),
    statements: [],
    citations,
    passages,
    chain,
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: [],
    by: 'extractive',
    coverage,
  };
}
