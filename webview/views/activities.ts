import { html, nothing, type TemplateResult } from 'lit';
import type { Passage } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import type { Activity, RunView } from '../run-view.ts';
import { t } from '../strings.ts';
import { codicon, count, passagesLabel } from './labels.ts';
import { opening, placeView, sourceLink } from './passages.ts';

/** So many of what came last are shown while a run goes on. */
const MOST_LIVE = 5;
/** Files that one line names. */
const MOST_FILES = 3;

/** What a running run has looked up and found out, the newest last. */
export function liveActivities(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { activities, status, answer } = turn.run;
  if (status !== 'running' || answer || activities.length === 0) return nothing;
  return activityList(turn, activities.slice(-MOST_LIVE), actions);
}

export function activityList(turn: TurnView, activities: readonly Activity[], actions: PanelActions): TemplateResult {
  return html`<ul class="activities">
    ${activities.map((activity) => html`<li class=${activity.kind}>${activityView(turn, activity, actions)}</li>`)}
  </ul>`;
}

function activityView(turn: TurnView, activity: Activity, actions: PanelActions): TemplateResult {
  switch (activity.kind) {
    case 'search': {
      const passages = oncePerFile(activity.hits.map((hit) => hit.passage));
      return line(
        'search',
        activity.query,
        activity.hits.length === 0 ? t('Nothing found') : passagesLabel(activity.hits.length),
        passages.slice(0, MOST_FILES).map((passage) => passageLink(turn, passage, actions)),
      );
    }
    case 'look': {
      const { tool, asked, places, total } = activity;
      const links = places
        .slice(0, MOST_FILES)
        .map(({ path, startLine, passageId }) =>
          passageId === undefined
            ? html`<span class="quiet">${placeView(path, startLine)}</span>`
            : sourceLink(path, startLine, opening(actions, turn.runId, passageId, startLine)),
        );
      const [first] = links;
      if (tool === 'read' && first) return html`${codicon('file')}<span>${first}</span>`;
      const found = total === 0 ? t('Nothing found') : t('{0} found', count(total));
      return line(tool === 'list' ? 'list-tree' : 'references', asked, found, links);
    }
    case 'sub-answer': {
      const { question, answer, found, passageIds, critique } = activity.subAnswer;
      const source = passageIds.map((id) => passageOf(turn.run, id)).find((passage) => passage !== undefined);
      const rejected = critique !== undefined && critique.verdict !== 'keep';
      return html`${line(
        found && !rejected ? 'check' : 'circle-slash',
        question,
        found ? answer : t('Nothing found'),
        source ? [passageLink(turn, source, actions)] : [],
      )}${rejected ? html`<div class="quiet">${critique.reason}</div>` : nothing}`;
    }
  }
}

/** What was asked, what came of it, and where that stands. */
function line(icon: string, asked: string, found: string, sources: readonly TemplateResult[]): TemplateResult {
  return html`${codicon(icon)}<span
      ><bdi class="asked-for">${asked}</bdi
      >${found === '' ? nothing : html` <span class="quiet">→</span> <bdi>${found}</bdi>`}${
        sources.length === 0 ? nothing : html` <span class="sources">${sources}</span>`
      }</span
    >`;
}

const passageLink = (turn: TurnView, { id, path, startLine }: Passage, actions: PanelActions): TemplateResult =>
  sourceLink(path, startLine, opening(actions, turn.runId, id));

const oncePerFile = (passages: readonly Passage[]): Passage[] =>
  [...new Map(passages.toReversed().map((passage) => [passage.path, passage])).values()].reverse();

/** A passage that this run has shown. */
function passageOf({ activities, answer }: RunView, id: string): Passage | undefined {
  const shown = activities.flatMap((activity) =>
    activity.kind === 'search'
      ? [...activity.hits.map((hit) => hit.passage), ...(activity.chain?.hops.map((hop) => hop.passage) ?? [])]
      : [],
  );
  return [...(answer?.passages ?? []), ...shown].find((passage) => passage.id === id);
}
