import { html, nothing, type TemplateResult } from 'lit';
import { baseName, operatorTitle, type HopReasonKind, type OperatorName, type PassageKind, type Plan } from '#protocol';
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

export const planOriginLabel = (origin: Plan['origin']): string | undefined =>
  ({
    'debate-hard': t('agreed in a debate'),
    'debate-soft': t('taken from a debate'),
    fast: t('planned by the model'),
    repaired: t('planned by the model, repaired'),
    default: t('usual for this kind of question'),
    chosen: t('based on earlier results'),
    fixed: t('as you asked'),
    'no-model': t('without a language model'),
    index: undefined,
  })[origin];

export const stepStatusLabel = (status: StepStatus): string =>
  ({
    running: t('In progress'),
    answered: t('Answered'),
    'nothing-found': t('Nothing found'),
    rejected: t('Rejected by the check'),
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

const REASON_ICONS: Record<HopReasonKind, string> = {
  question: 'search',
  link: 'link',
  backlink: 'references',
  title: 'tag',
  term: 'key',
  meaning: 'sparkle',
  'sub-question': 'question',
  chosen: 'target',
};
export const reasonIcon = (kind: HopReasonKind): string => REASON_ICONS[kind];

const PASSAGE_ICONS: Record<PassageKind, string> = {
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
};
export const passageIcon = (kind: PassageKind): string => PASSAGE_ICONS[kind];

export function stoppedLabel(run: RunView): string {
  return trailOf(run).length > 0 || run.draft !== '' || run.answer
    ? t('Stopped. What was found so far is kept.')
    : t('Stopped before anything was found.');
}

/** What a run is doing now, in a few words that change with it. */
export function activityLabel(run: RunView): string {
  if (run.startedAt === undefined) return t('Starting');
  if (run.draft !== '' || run.answer) return t('Writing the answer');
  if (run.debate.length > 0 && !run.plan) return t('Debating the plan, round {0}', run.debate.at(-1)?.round ?? 1);
  const last = run.activities.at(-1);
  switch (last?.kind) {
    case 'search': {
      const files = new Set(last.hits.map((hit) => hit.passage.path));
      const [first] = files;
      if (first === undefined) return t('Nothing found for “{0}”, looking further', last.query);
      return files.size === 1
        ? t('Reading {0}', baseName(first))
        : t('Reading {0} and {1} more', baseName(first), files.size - 1);
    }
    case 'look':
      return t('Reading {0}', baseName(last.places[0]?.path ?? last.asked));
    case 'sub-answer':
      return t('Looking further');
    case undefined:
      return run.firstHits ? t('Reading what was found') : t('Searching');
  }
}

const number = new Intl.NumberFormat();

export function count(value: number): string {
  return number.format(value);
}

export const filesLabel = (files: number): string => (files === 1 ? t('1 file') : t('{0} files', count(files)));

export const passagesLabel = (passages: number): string =>
  passages === 1 ? t('1 passage') : t('{0} passages', count(passages));

export function secondsLabel(seconds: number): string {
  if (seconds < 10)
    return t('{0} s', seconds.toLocaleString(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
  if (seconds < 100) return t('{0} s', Math.round(seconds));
  return t('{0} min', Math.round(seconds / 60));
}

/** The time left, in tens of seconds, then in minutes. */
export function timeLeftLabel(seconds: number): string {
  if (seconds < 10) return t('a few seconds left');
  if (seconds < 90) return t('{0} s left', Math.ceil(seconds / 10) * 10);
  return t('{0} min left', Math.ceil(seconds / 60));
}

/** The numbers of a hop's citations, for the eye: the first, and that there are more. */
export const nodeLabel = ([first, ...more]: readonly number[]): string =>
  first === undefined ? '' : more.length === 0 ? String(first) : `${first}…`;
