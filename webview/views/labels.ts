import { html, type TemplateResult } from 'lit';
import type { HopReasonKind, IndexState, OperatorName, PassageKind, Plan, QuestionType, Refusal } from '#protocol';
import { trailOf, type RunView, type StepStatus } from '../run-view.ts';
import { t } from '../strings.ts';

/** A picture beside a text that says the same. */
export const codicon = (name: string): TemplateResult =>
  html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;

export function questionTypeLabel(type: QuestionType): string {
  switch (type) {
    case 'inference':
      return t('Inference');
    case 'comparison':
      return t('Comparison');
    case 'temporal':
      return t('Temporal');
    case 'lookup':
      return t('Lookup');
    case 'overview':
      return t('Overview');
    case 'null':
      return t('Without an answer');
  }
}

/** Why there is no answer, in one sentence, with the names that no file has; runs of earlier versions do not say. */
export function refusalLabel(refusal: Refusal | undefined, absent: readonly string[] = []): string {
  switch (refusal) {
    case 'nothing-speaks':
      return absent.length > 0 ? t('No file speaks of {0}.', absent.join(', ')) : t('No file speaks of this.');
    case 'no-line-answers':
      return t('These files speak of it; no line was found that answers.');
    case 'part-looked-at':
      return t('Only part was looked at, and no answer was found there.');
    case undefined:
      return t('No answer was found.');
  }
}

/** What a round of learning trains, by the name of its trainer. */
export function trainerLabel(trainer: string): string {
  switch (trainer) {
    case 'chain-scorer':
      return t('Choice of passage chains');
    case 'question-classifier':
      return t('Types of questions');
    case 'strategy-prior':
      return t('Expectations of strategies');
    case 'example-pool':
      return t('Examples of sub-questions');
    default:
      return trainer;
  }
}

export function operatorLabel(operator: OperatorName): string {
  switch (operator) {
    case 'chain-of-thought':
      return t('chain of thought');
    case 'single-step':
      return t('single step');
    case 'iterative-step':
      return t('iterative step');
    case 'sub-step':
      return t('sub-step');
    case 'adaptive-step':
      return t('adaptive step');
    case 'self-critical':
      return t('self-critical');
    case 'extractive':
      return t('quotes');
  }
}

export function planOriginLabel(origin: Plan['origin']): string {
  switch (origin) {
    case 'debate-hard':
      return t('the debate agreed');
    case 'debate-soft':
      return t('the debate ran out of rounds');
    case 'fast':
      return t('planned in one call');
    case 'repaired':
      return t('repaired');
    case 'default':
      return t('the usual plan for this type of question');
    case 'chosen':
      return t('chosen by what earlier runs were worth');
    case 'fixed':
      return t('asked for');
    case 'no-model':
      return t('the only way without a language model');
    case 'index':
      return t('the index lists it');
  }
}

export function stepStatusLabel(status: StepStatus): string {
  switch (status) {
    case 'running':
      return t('In progress');
    case 'answered':
      return t('Answered');
    case 'nothing-found':
      return t('Nothing found');
    case 'rejected':
      return t('Rejected by the critique');
    case 'failed':
      return t('Failed');
    case 'skipped':
      return t('Skipped');
    case 'stopped':
      return t('Stopped');
  }
}

export function stepIcon(status: StepStatus): string {
  switch (status) {
    case 'running':
      return 'loading';
    case 'answered':
      return 'check';
    case 'nothing-found':
      return 'circle-slash';
    case 'rejected':
      return 'discard';
    case 'failed':
      return 'error';
    case 'skipped':
      return 'debug-step-over';
    case 'stopped':
      return 'primitive-square';
  }
}

export function reasonIcon(kind: HopReasonKind): string {
  switch (kind) {
    case 'question':
      return 'search';
    case 'link':
      return 'link';
    case 'backlink':
      return 'references';
    case 'title':
      return 'tag';
    case 'term':
      return 'key';
    case 'meaning':
      return 'sparkle';
    case 'sub-question':
      return 'question';
    case 'chosen':
      return 'target';
  }
}

export function reasonLabel(kind: HopReasonKind): string {
  switch (kind) {
    case 'question':
      return t('Matches the question');
    case 'link':
      return t('Linked from the hop before');
    case 'backlink':
      return t('Links to the hop before');
    case 'title':
      return t('Named in the hop before');
    case 'term':
      return t('Shares a rare name');
    case 'meaning':
      return t('Close in meaning');
    case 'sub-question':
      return t('Found for a sub-question');
    case 'chosen':
      return t('Chosen as the start');
  }
}

export function passageIcon(kind: PassageKind): string {
  switch (kind) {
    case 'function':
      return 'symbol-method';
    case 'class':
      return 'symbol-class';
    case 'outline':
      return 'symbol-namespace';
    case 'code':
      return 'code';
    case 'section':
      return 'note';
    case 'paragraph':
      return 'note';
    case 'front-matter':
      return 'symbol-property';
    case 'table':
      return 'table';
    case 'data':
      return 'json';
    case 'cell':
      return 'notebook';
    case 'page':
      return 'file-pdf';
    case 'block':
      return 'list-flat';
  }
}

export function stoppedLabel(run: RunView): string {
  return trailOf(run).length > 0 || run.draft !== '' || run.answer
    ? t('Stopped. What was found is kept.')
    : t('Stopped before anything was found.');
}

/** What a running run is doing, in a few words. */
export function activityLabel(run: RunView): string {
  if (run.startedAt === undefined) return t('Starting');
  if (run.draft !== '' || run.answer) return t('Writing the answer');
  const step = run.steps.findLast((candidate) => candidate.status === 'running');
  if (step) return step.retrievals.length > 0 ? t('Reading what was found') : t('Looking for passages');
  if (run.steps.length > 0) return t('Putting the answer together');
  if (run.debate.length > 0 && !run.plan) return t('Debating the plan, round {0}', run.debate.at(-1)?.round ?? 1);
  return run.classification ? t('Planning') : t('Reading the question');
}

const number = new Intl.NumberFormat();

export function count(value: number): string {
  return number.format(value);
}

/** With so many digits behind the decimal sign of the language. */
export const decimal = (value: number, digits: number): string =>
  value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const filesLabel = (files: number): string => (files === 1 ? t('1 file') : t('{0} files', count(files)));

export const passagesLabel = (passages: number): string =>
  passages === 1 ? t('1 passage') : t('{0} passages', count(passages));

export function bytesLabel(bytes: number): string {
  return bytes < 1e6 ? t('{0} kB', decimal(bytes / 1e3, bytes < 1e4 ? 1 : 0)) : t('{0} MB', decimal(bytes / 1e6, 1));
}

export function secondsLabel(seconds: number): string {
  if (seconds < 10) return t('{0} s', decimal(seconds, 1));
  if (seconds < 100) return t('{0} s', Math.round(seconds));
  return t('{0} min', Math.round(seconds / 60));
}

/** What is left of a longer work, as nobody has to read it twice: in tens of seconds, then in minutes. */
export function timeLeftLabel(seconds: number): string {
  if (seconds < 10) return t('a few seconds left');
  if (seconds < 90) return t('{0} s left', Math.ceil(seconds / 10) * 10);
  return t('{0} min left', Math.ceil(seconds / 60));
}

/** How far the index is, 0..1; undefined when that is not known. */
export function indexProgress(state: IndexState): number | undefined {
  if (state.phase === 'reading') return state.filesTotal > 0 ? state.filesDone / state.filesTotal : undefined;
  const { passages, embedded } = state.coverage;
  return passages > 0 ? embedded / passages : undefined;
}

/** So many characters have room beside a hop's name. */
const LONGEST_LABEL = 3;

/** The numbers of a hop's citations, for the eye: `1`, `1–4`, `2,5`, or the first of more. */
export function nodeLabel(numbers: readonly number[]): string {
  const [first, ...more] = numbers;
  if (first === undefined) return '';
  const last = more.at(-1);
  const inARow = more.length > 1 && more.every((number, index) => number === first + index + 1);
  const label = inARow ? `${first}–${last}` : numbers.join(',');
  return label.length > LONGEST_LABEL ? `${first}…` : label;
}
