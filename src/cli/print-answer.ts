import { shortened } from '#base';
import type { Answer, Plan, ResearchEvent, Usage } from '#research';
import type { Passage } from '#search';
import { reasonInWords } from '#search/reasons';
import { printable, type Style } from './terminal.ts';

/** `path:line`, or `path, page 3`: most terminals make the first a link. */
export function locationOf(passage: Passage, line = passage.startLine): string {
  const path = printable(passage.path);
  return passage.page === undefined ? `${path}:${line}` : `${path}, page ${passage.page}`;
}

/** The first lines that are not blank, cut to the width. */
export function excerpt(text: string, count: number, width: number): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, count).map((line) => shortened(line, Math.max(2, width)));
}

/** Answer, sources, what is missing, and what the check marked. */
export function printAnswer(answer: Answer, style: Style): string {
  const [first = '', ...rest] = answer.text.trim().split('\n');
  const parts = [[answer.abstained ? style.warn(first) : first, ...rest].join('\n')];
  const sources = sourceLines(answer, style);
  if (sources.length > 0)
    parts.push([style.bold(answer.abstained ? 'Closest passages' : 'Sources'), ...sources].join('\n'));
  const missing = answer.missing ?? [];
  if (missing.length > 0)
    parts.push([style.bold('Still open'), ...missing.map((one) => `  ? ${printable(one)}`)].join('\n'));
  const marked = answer.statements.filter(({ support }) => support === 'unsupported');
  if (marked.length > 0)
    parts.push(
      [
        style.warn('Not confirmed by the cited lines'),
        ...marked.map(({ text, problem }) => `  ! ${firstLine(text)}${problem ? ` (${printable(problem)})` : ''}`),
      ].join('\n'),
    );
  const { coverage } = answer;
  if (coverage.indexing)
    parts.push(
      style.warn(
        `Indexing continues: ${coverage.files} files read, ${coverage.embedded} of ${coverage.passages} passages ` +
          'searchable by meaning.',
      ),
    );
  return parts.join('\n\n');
}

/** Each cited place with its title and why it was found; then hops of the trail that are not cited. */
function sourceLines({ citations, passages, chain }: Answer, style: Style): string[] {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const reasons = new Map(chain.hops.map(({ passage, why }) => [passage.id, reasonInWords(why).text]));
  const told = new Set<string>();
  const row = (mark: string, passage: Passage, line: number): string[] => {
    const reason = told.has(passage.id) ? undefined : reasons.get(passage.id);
    told.add(passage.id);
    const title = passage.title ? `  ${printable(passage.title)}` : '';
    const place = `  ${style.accent(mark.padEnd(4))} ${style.accent(locationOf(passage, line))}${title}`;
    return reason === undefined ? [place] : [place, `       ${style.dim(reason)}`];
  };
  const cited = citations.flatMap(({ number, passageId, startLine }) => {
    const passage = byId.get(passageId);
    return passage ? row(`[${number}]`, passage, startLine) : [];
  });
  const others = chain.hops.filter(({ passage }) => !told.has(passage.id));
  return [...cited, ...others.flatMap(({ passage }) => row('', passage, passage.startLine))];
}

/** What a run did, for one line below its answer. */
export interface RunSummary {
  type?: string;
  plan?: Plan;
  debated: boolean;
  searches: number;
  looks: number;
  usage?: Usage;
}

export const newSummary = (): RunSummary => ({ debated: false, searches: 0, looks: 0 });

/** Adds an event to the summary. */
export function noteEvent(summary: RunSummary, event: ResearchEvent): void {
  switch (event.type) {
    case 'question-classified':
      summary.type = event.classification.type;
      return;
    case 'plan-proposed':
      summary.plan = event.plan;
      return;
    case 'debate-turn':
      summary.debated ||= event.role !== 'fast';
      return;
    case 'passages-retrieved':
      summary.searches += 1;
      return;
    case 'tool-used':
      summary.looks += 1;
      return;
    case 'run-end':
    case 'run-error':
    case 'run-cancelled':
      summary.usage = event.usage;
  }
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `inference; planned: sub-step; 3 searches, 2 looks; 3 model calls, 4,210 tokens (900 cached); 2.1 s`. */
export function howLine({ type, plan, debated, searches, looks, usage }: RunSummary): string {
  const names = plan?.steps.map((step) => step.operator) ?? [];
  const way = plan && `${debated ? 'debated' : 'planned'}: ${names.join(plan.vote ? ' + ' : ' → ')}`;
  const looked = [counted(searches, 'search', 'searches'), ...(looks > 0 ? [counted(looks, 'look')] : [])].join(', ');
  return [type, way, looked, ...(usage ? [costOf(usage), `${usage.seconds.toFixed(1)} s`] : [])]
    .filter((part) => part !== undefined)
    .join('; ');
}

function costOf({ calls, inputTokens, outputTokens, cachedTokens = 0, estimated }: Usage): string {
  if (calls === 0) return 'no language model';
  const tokens = (inputTokens + outputTokens).toLocaleString('en');
  const cached = cachedTokens > 0 ? ` (${cachedTokens.toLocaleString('en')} cached)` : '';
  return `${counted(calls, 'model call')}, ${estimated ? 'about ' : ''}${tokens} tokens${cached}`;
}

/** What a run is doing now, for a line that is drawn over; undefined: the line stays. */
export function progressOf(event: ResearchEvent): string | undefined {
  switch (event.type) {
    case 'step-start':
      return firstLine(event.question);
    case 'passages-retrieved':
      return `Found ${event.hits.length} passages for “${firstLine(event.query)}”`;
    case 'tool-used':
      return `${event.tool}: ${firstLine(event.asked)}`;
    case 'debate-turn':
      return `Planning, round ${event.round}: ${event.role}`;
    case 'answer-delta':
      return 'Writing the answer';
    default:
      return undefined;
  }
}

const firstLine = (text: string): string => shortened(printable(text.trim().split('\n')[0] ?? ''), 160);
