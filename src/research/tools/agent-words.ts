import { type ErrorReport, HoptrailError } from '#base';
import type { IndexCoverage, Passage, SkippedFile, SkipReason } from '#search';
import type { Answer } from '../domain/answer.ts';
import type { ResearchEvent } from '../domain/research-event.ts';
import { estimateTokens } from '../language-model/context-window.ts';
import { ToolInputError } from './tool.ts';

/** A run for an agent ended without an answer. The message carries the advice: agents read nothing else of an error. */
export class ResearchFailedError extends HoptrailError {
  readonly code: string;

  constructor({ code, message, advice, action }: ErrorReport) {
    super([message, advice].filter((part) => part !== undefined).join(' '), { action });
    this.code = code;
  }
}

/** How a run ended. `failure`: the model that was to write the answer failed, and it is made of quotes. */
type ResearchOutcome = { kind: 'answered'; answer: Answer; failure?: ErrorReport } | { kind: 'cancelled' };

/** Waits for a run's end; `onStep` gets the question of each step. @throws ResearchFailedError without an answer */
export async function outcomeOf(
  events: AsyncIterable<ResearchEvent>,
  onStep?: (question: string) => void,
): Promise<ResearchOutcome> {
  let answer: Answer | undefined;
  for await (const event of events) {
    if (event.type === 'step-start') onStep?.(event.question);
    if (event.type === 'answer-end') answer = event.answer;
    if (event.type === 'run-cancelled') return { kind: 'cancelled' };
    if (event.type === 'run-error') {
      if (answer) return { kind: 'answered', answer, failure: event.error };
      throw new ResearchFailedError(event.error);
    }
  }
  if (answer) return { kind: 'answered', answer };
  throw new ResearchFailedError({
    code: 'no-answer',
    message: 'The run ended without an answer.',
    advice: 'Ask again, or search for passages instead.',
  });
}

/** What was left out although it may hold what somebody looks for: worth naming. */
const WORTH_NAMING: ReadonlySet<SkipReason> = new Set(['too-large', 'unreadable', 'unsupported', 'gave-up']);
const MOST_NAMED = 3;

const number = (value: number): string => value.toLocaleString('en');
const files = (count: number): string => `${number(count)} ${count === 1 ? 'file' : 'files'}`;

/** How much a search has seen, in a sentence for agents: its silence means nothing without that. */
export function describeCoverage(coverage: IndexCoverage, skipped: readonly SkippedFile[]): string {
  const { passages, embedded, indexing } = coverage;
  const byMeaning =
    embedded >= passages ? 'all of them by meaning' : `${number(embedded)} of ${number(passages)} passages by meaning`;
  const seen = `Searched ${number(passages)} passages of ${files(coverage.files)} by words, ${byMeaning}`;
  return `${seen}${leftOut(skipped)}.${indexing ? STILL_BUILT : ''}`;
}

const STILL_BUILT = ' The index is still being built: more will be found later.';

/** What a result costs whoever reads it: its tokens, estimated without a tokenizer. */
export const describeTokens = (text: string): string => {
  const tokens = estimateTokens(text);
  return `About ${number(tokens)} ${tokens === 1 ? 'token' : 'tokens'}.`;
};

function leftOut(skipped: readonly SkippedFile[]): string {
  if (skipped.length === 0) return '';
  const counts = new Map<SkipReason, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${number(count)} ${reason}`);
  const named = skipped
    .filter(({ reason }) => WORTH_NAMING.has(reason))
    .slice(0, MOST_NAMED)
    .map(({ path }) => path);
  const examples = named.length === 0 ? '' : ` (for example ${named.join(', ')})`;
  return (
    `; ${number(skipped.length)} ${skipped.length === 1 ? 'file or folder' : 'files or folders'} left out: ` +
    `${reasons.join(', ')}${examples}`
  );
}

/** Lines of a passage's file as a link of Markdown, by which an agent's editor opens them. */
export function linkedPlace({ path, uri }: Pick<Passage, 'uri' | 'path'>, startLine: number, endLine: number): string {
  const address = `${uri.replaceAll('(', '%28').replaceAll(')', '%29')}#L${startLine}`;
  return `[${path.replace(/[[\]\\]/gu, '\\$&')}:${startLine}-${endLine}](${address})`;
}

/** @throws ToolInputError naming paths of which nothing is indexed: an empty list would look as if nothing matched */
export function assertIndexed(
  scope: readonly string[] | undefined,
  files: readonly { path: string }[],
  indexing: boolean,
): void {
  const missing = (scope ?? []).filter(
    (path) => !files.some((file) => file.path === path || file.path.startsWith(`${path}/`)),
  );
  if (missing.length === 0) return;
  const named = missing.map((path) => JSON.stringify(path)).join(', ');
  const soFar = indexing ? ' so far: the index is still being built' : '';
  throw new ToolInputError(
    `Nothing that is indexed lies at or below ${named}${soFar}. ` +
      'Paths are relative to the workspace, with / between folders.',
  );
}
