import { html, nothing, type TemplateResult } from 'lit';
import { baseName, documentTitle, type LinkKind, openLinks, type OpenLink, stemOf, type Without } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';
import { trailOf, type RunView } from '../run-view.ts';
import { codicon } from './labels.ts';

/** So many files are offered to be left out. */
const MOST_FILES = 3;

/** One button that asks again without something. */
function againButton(turn: TurnView, label: string, without: Without, actions: PanelActions): TemplateResult {
  return html`<button class="link-button again" type="button" @click=${() => actions.askAgain(turn.runId, without)}>
    ${label}
  </button>`;
}

/** Below a passage that does not belong: the same question without it, or without its file. */
export function againWithoutPassage(
  turn: TurnView,
  passage: { id: string; path: string },
  actions: PanelActions,
): TemplateResult | typeof nothing {
  if (turn.run.status === 'running') return nothing;
  return html`<div class="again-row">
    ${againButton(turn, t('Ask again without it'), { passageIds: [passage.id], paths: [] }, actions)}
    ${againButton(turn, t('Ask again without {0}', baseName(passage.path)), { passageIds: [], paths: [passage.path] }, actions)}
  </div>`;
}

/** After a thumb down: the same question without what the answer cites, or without one of its files. */
export function againAfterThumbDown(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { answer, status } = turn.run;
  if (turn.feedback.rating !== 'down' || !answer || status === 'running') return nothing;
  const passageIds = [...new Set(answer.citations.map((citation) => citation.passageId))];
  if (passageIds.length === 0) return nothing;
  const paths = [
    ...new Set(answer.passages.filter((passage) => passageIds.includes(passage.id)).map((passage) => passage.path)),
  ];
  return html`<div class="again-row">
    ${againButton(
      turn,
      passageIds.length === 1
        ? t('Ask again without this passage')
        : t('Ask again without these {0} passages', passageIds.length),
      { passageIds, paths: [] },
      actions,
    )}
    ${paths
      .slice(0, MOST_FILES)
      .map((path) =>
        againButton(turn, t('Ask again without {0}', baseName(path)), { passageIds: [], paths: [path] }, actions),
      )}
  </div>`;
}

/** What the trail points at and does not walk: each a question of one click. */
export function followUpsView(
  turn: TurnView,
  titles: Record<string, string>,
  actions: PanelActions,
): TemplateResult | typeof nothing {
  const questions = turn.run.status === 'done' ? followUps(turn.run, titles) : [];
  return questionList(t('Follow-up questions'), questions, actions, 'follow-ups');
}

/** Questions, each asked by one click; with the file that one is about. */
export function questionList(
  label: string,
  questions: readonly { question: string; path?: string }[],
  actions: PanelActions,
  look = '',
): TemplateResult | typeof nothing {
  if (questions.length === 0) return nothing;
  return html`<ul class="suggestions ${look}" aria-label=${label}>
    ${questions.map(
      ({ question, path }) =>
        html`<li>
          <button class="suggestion" type="button" title=${path ?? nothing} @click=${() => actions.ask(question)}>
            ${codicon('arrow-small-right')}<span>${question}</span>
          </button>
        </li>`,
    )}
  </ul>`;
}

/** A question that a link of the trail suggests, and the file to which the link leads. */
interface FollowUp {
  question: string;
  path: string;
}

const MOST = 3;
/** Longer names make no question that is read at a glance. */
const LONGEST_NAME = 60;
const PROSE: ReadonlySet<LinkKind> = new Set(['wikilink', 'markdown', 'path']);
const CODE: ReadonlySet<LinkKind> = new Set(['call', 'import']);

/**
 * Questions made of the trail's open links: those to files that the trail does not enter, the end of the trail first.
 * None where nothing was found.
 */
function followUps(run: RunView, titles: Record<string, string>): FollowUp[] {
  if (!run.answer || run.answer.abstained) return [];
  const found = new Map<string, FollowUp>();
  for (const open of openLinks(trailOf(run))) {
    if (found.size === MOST) break;
    if (found.has(open.path)) continue;
    const question = questionOf(open, titles);
    if (question !== undefined) found.set(open.path, { question, path: open.path });
  }
  return [...found.values()];
}

function questionOf({ link, path, hop }: OpenLink, titles: Record<string, string>): string | undefined {
  if (CODE.has(link.kind)) {
    const name = link.kind === 'call' ? (link.target.split(/[.#]|::|->/).at(-1) ?? '') : stemOf(path);
    return isName(name) ? t('What does {0} do, and who uses it?', name) : undefined;
  }
  const title = Object.hasOwn(titles, path) ? titles[path] : undefined;
  const name = title !== undefined && isName(title) ? title : wordsOf(stemOf(path));
  const subject = documentTitle(hop.passage.title) || wordsOf(stemOf(hop.passage.path));
  if (!PROSE.has(link.kind) || !isName(name) || !isName(subject)) return undefined;
  return t('What does “{0}” say about {1}?', name, subject);
}

const isName = (text: string): boolean => text.length > 1 && text.length <= LONGEST_NAME;
/** `ferry-decision` is how a file is named, `ferry decision` how a person says it. */
const wordsOf = (stem: string): string => stem.replace(/[-_]+/g, ' ').trim();
