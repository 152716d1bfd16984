import { html, nothing, type TemplateResult } from 'lit';
import { operatorTitle, type HopReasonKind, type OperatorName, type PassageKind, type Plan } from '#protocol';
import { trailOf, type RunView, type StepStatus } from '../run-view.ts';
import { t } from '../strings.ts';

/** A picture beside a text that says the same. */
export const codicon = (name: string): TemplateResult =>
  html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;

/** A button that shows a picture alone. */
export function iconButton(
  icon: string,
  label: string,
  onClick: (event: MouseEvent) => void,
  pressed?: boolean,
): TemplateResult {
  return html`<button
    class="icon-button"
    type="button"
    title=${label}
    aria-label=${label}
    aria-pressed=${pressed === undefined ? nothing : pressed ? 'true' : 'false'}
    @click=${onClick}
  >
    ${codicon(icon)}
  </button>`;
}

export const operatorLabel = (operator: OperatorName): string => operatorTitle(operator, t);

export const planOriginLabel = (origin: Plan['origin']): string =>
  ({
    'debate-hard': t('the debate agreed'),
    'debate-soft': t('the debate ran out of rounds'),
    fast: t('planned in one call'),
    repaired: t('repaired'),
    default: t('the usual plan for this type of question'),
    chosen: t('chosen by what earlier runs were worth'),
    fixed: t('asked for'),
    'no-model': t('the only way without a language model'),
    index: t('the index lists it'),
  })[origin];

export const stepStatusLabel = (status: StepStatus): string =>
  ({
    running: t('In progress'),
    answered: t('Answered'),
    'nothing-found': t('Nothing found'),
    rejected: t('Rejected by the critique'),
    failed: t('Failed'),
    skipped: t('Skipped'),
    stopped: t('Stopped'),
  })[status];

export const stepIcon = (status: StepStatus): string =>
  ({
    running: 'loading',
    answered: 'check',
    'nothing-found': 'circle-slash',
    rejected: 'discard',
    failed: 'error',
    skipped: 'debug-step-over',
    stopped: 'primitive-square',
  })[status];

export const reasonIcon = (kind: HopReasonKind): string =>
  ({
    question: 'search',
    link: 'link',
    backlink: 'references',
    title: 'tag',
    term: 'key',
    meaning: 'sparkle',
    'sub-question': 'question',
    chosen: 'target',
  })[kind];

export const reasonLabel = (kind: HopReasonKind): string =>
  ({
    question: t('Matches the question'),
    link: t('Linked from the hop before'),
    backlink: t('Links to the hop before'),
    title: t('Named in the hop before'),
    term: t('Shares a rare name'),
    meaning: t('Close in meaning'),
    'sub-question': t('Found for a sub-question'),
    chosen: t('Chosen as the start'),
  })[kind];

export const passageIcon = (kind: PassageKind): string =>
  ({
    function: 'symbol-method',
    class: 'symbol-class',
    outline: 'symbol-namespace',
    code: 'code',
    section: 'note',
    paragraph: 'note',
    'front-matter': 'symbol-property',
    table: 'table',
    data: 'json',
    cell: 'notebook',
    page: 'file-pdf',
    block: 'list-flat',
  })[kind];

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
