import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import {
  baseName,
  folderOf,
  lineOfHop,
  reasonInWords,
  stemOf,
  type Citation,
  type Hop,
  type Passage,
  type TextSpan,
  titleParts,
} from '#protocol';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { excerpt, drawLines, unfolded } from '../passage/draw-lines.ts';
import { trailOf } from '../run-view.ts';
import { t } from '../strings.ts';
import { againWithoutPassage } from './further.ts';
import { passageIcon, reasonIcon, codicon, iconButton, nodeLabel } from './labels.ts';
import { isToSide, opening, passageLines, unlessSelecting } from './passages.ts';

const EXCERPT_LINES = 3;
/** An expanded hop shows the passage up to here; the rest is a click away. */
const EXPANDED_LINES = 40;

/** The heart of the panel: the chain as hops down a line. */
export function trailView(turn: TurnView, ui: UiState, actions: PanelActions): TemplateResult | typeof nothing {
  const hops = trailOf(turn.run);
  if (hops.length === 0) return nothing;
  const tabStop = Math.max(
    0,
    hops.findIndex((hop) => hop.passage.id === turn.currentPassageId),
  );
  const running = turn.run.answer === undefined && turn.run.status === 'running';
  const title = turn.run.answer?.abstained ? t('Closest passages') : running ? t('Found so far') : t('Sources');
  return html`<section class="trail" aria-label=${title}>
    <h3 class="section-title">${title}</h3>
    <ol class="hops" @keydown=${(event: KeyboardEvent) => walkByKey(event, turn, actions, ui)}>
      ${repeat(
        hops,
        (hop) => hop.passage.id,
        (hop, index) =>
          hopView(turn, hops, hop, index, {
            isTabStop: index === tabStop,
            ui,
            actions,
          }),
      )}
    </ol>
  </section>`;
}

function hopView(
  turn: TurnView,
  hops: readonly Hop[],
  hop: Hop,
  index: number,
  { isTabStop, ui, actions }: { isTabStop: boolean; ui: UiState; actions: PanelActions },
): TemplateResult {
  const { passage, why } = hop;
  const key = `${turn.runId}:${passage.id}`;
  const expanded = ui.expandedHops.has(key);
  const rejected = turn.feedback.rejectedPassageIds.includes(passage.id);
  const citations = (turn.run.answer?.citations ?? []).filter((citation) => citation.passageId === passage.id);
  const marks = linkingSpans(hops, index);
  const drawn = drawLines(passage.text, passage.language, passage.startLine, marks);
  const part = expanded ? unfolded(drawn, EXPANDED_LINES, citations) : excerpt(drawn, EXCERPT_LINES, citations);
  const label = nodeLabel(citations.map((citation) => citation.number));
  const place = placeOf(hop, citations);
  const isCurrent = turn.currentPassageId === passage.id;
  const open = (event: MouseEvent): void => actions.openHop(turn, index, { toSide: isToSide(event) });
  return html`<li
    class=${classMap({ hop: true, rejected, current: isCurrent })}
    data-passage=${passage.id}
    @pointerenter=${() => actions.highlight(turn.runId, passage.id)}
    @pointerleave=${() => actions.highlight(turn.runId, undefined)}
  >
    ${
      reasonInWords(why, t).text === ''
        ? nothing
        : html`<div class="why">
            ${codicon(reasonIcon(why.kind))}<span class="why-text">${reasonView(turn, hops, hop, actions)}</span>
          </div>`
    }
    <div class="hop-body">
      <span class=${classMap({ node: true, cited: citations.length > 0, wide: label.length > 2 })} aria-hidden="true"
        >${label}</span
      >
      <div class="hop-head">
        <button
          class="hop-open"
          type="button"
          data-hop=${index}
          tabindex=${isTabStop ? 0 : -1}
          aria-current=${isCurrent ? 'step' : nothing}
          title=${t('{0}\nClick to open, Ctrl+click to open to the side', passage.path)}
          @click=${open}
        >
          ${codicon(passageIcon(passage.kind))}
          <span class="visually-hidden">${t('Source {0} of {1}:', index + 1, hops.length)} </span
          ><span class="base"><bdi>${baseName(passage.path)}</bdi></span
          ><span class="line-number">${place}</span>
          <span class="folder"><bdi>${folderOf(passage.path)}</bdi></span>
        </button>
        <span class="hop-actions">
          ${iconButton('split-horizontal', t('Open to the Side'), () => actions.openHop(turn, index, { toSide: true }))}
          ${iconButton(
            rejected ? 'debug-restart' : 'exclude',
            rejected ? t('This Passage Does Belong') : t('This Passage Does Not Belong'),
            () => reject(turn, passage.id, actions),
          )}
        </span>
      </div>
      ${
        passage.title === ''
          ? nothing
          : html`<div class="hop-title" title=${withoutDirections(passage.title)}>
              ${shortTitle(passage.title, passage.path)}
            </div>`
      }
      ${
        rejected
          ? html`<div class="rejected-note">${t('Marked as not belonging')}</div>
              ${againWithoutPassage(turn, passage, actions)}`
          : html` <div
                class="excerpt"
                @click=${unlessSelecting(open)}
                @pointerenter=${(event: PointerEvent) => {
                  if (!expanded && part.hidden > 0)
                    actions.showHover(event.currentTarget as HTMLElement, { passage, marks });
                }}
                @pointerleave=${() => actions.hideHover()}
              >
                ${passageLines(part.lines, passage.language)}
              </div>
              ${
                part.hidden > 0 || expanded
                  ? html`<button
                      class="more"
                      type="button"
                      aria-expanded=${expanded ? 'true' : 'false'}
                      @click=${() => actions.toggleHop(key)}
                    >
                      ${expanded ? t('Show less') : part.hidden === 1 ? t('1 more line') : t('{0} more lines', part.hidden)}<span
                        class="visually-hidden"
                      >
                        ${baseName(passage.path)}</span
                      >
                    </button>`
                  : nothing
              }`
      }
    </div>
  </li>`;
}

/** The ending of a file's name joins nothing: it stands wherever a file is named. */
const isFileEnding = (term: string): boolean =>
  /^\.?(?:mdx?|markdown|txt|rst|adoc|html?|pdf|docx|[cm]?[jt]sx?|py|json|ya?ml)$/i.test(term);

/** Where the words stand that join this hop to the one before it and to those after it. */
export function linkingSpans(hops: readonly Hop[], index: number): TextSpan[] {
  const own = hops[index]?.why.toSpan;
  const onward = hops.flatMap((hop) => (hop.why.from === index && hop.why.fromSpan ? [hop.why.fromSpan] : []));
  const text = hops[index]?.passage.text ?? '';
  return [...(own ? [own] : []), ...onward].filter(({ start, end }) => !isFileEnding(text.slice(start, end)));
}

function walkByKey(event: KeyboardEvent, turn: TurnView, actions: PanelActions, ui: UiState): void {
  const list = event.currentTarget as HTMLElement;
  const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-hop]');
  if (!focused) return;
  const buttons = [...list.querySelectorAll<HTMLElement>('[data-hop]')];
  const at = buttons.indexOf(focused);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    buttons[to]?.focus();
    return;
  }
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    actions.openHop(turn, at, { toSide: true });
  } else if (event.key === ' ') {
    // Like the references list of the editor: Space shows the place and leaves the focus here.
    event.preventDefault();
    actions.openHop(turn, at, { toSide: false, preserveFocus: true });
  } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    const key = `${turn.runId}:${trailOf(turn.run)[at]?.passage.id}`;
    if (ui.expandedHops.has(key) === (event.key === 'ArrowLeft')) actions.toggleHop(key);
  }
}

function reject(turn: TurnView, passageId: string, actions: PanelActions): void {
  const { rejectedPassageIds } = turn.feedback;
  const next = rejectedPassageIds.includes(passageId)
    ? rejectedPassageIds.filter((id) => id !== passageId)
    : [...rejectedPassageIds, passageId];
  actions.post({ type: 'feedback', runId: turn.runId, feedback: { ...turn.feedback, rejectedPassageIds: next } });
}

/** A line of a passage of the trail. */
interface Place {
  passage: Passage;
  line: number;
}

/**
 * Where a reason's line and its last linking word stand: one in the earlier passage, one in this.
 * @param told The line that the reason names
 */
function placesOfReason(
  hops: readonly Hop[],
  { passage, why }: Hop,
  told: number | undefined,
): { line?: Place; word?: Place } {
  if (told === undefined) return {};
  const earlier = why.from === undefined ? undefined : hops[why.from]?.passage;
  const inEarlier = earlier && why.fromSpan && { passage: earlier, line: lineAt(earlier, why.fromSpan) };
  const here = why.toSpan && { passage, line: lineAt(passage, why.toSpan) };
  const [near, far] = why.kind === 'link' ? [inEarlier, here] : [here, inEarlier];
  if (near?.line === told) return { line: near, ...(far && { word: far }) };
  if (far?.line === told) return { line: far, ...(near && { word: near }) };
  // Without spans, the line says where it stands: in the passage that links.
  const linking = why.kind === 'link' && earlier ? earlier : passage;
  return told >= linking.startLine && told <= linking.endLine ? { line: { passage: linking, line: told } } : {};
}

const lineAt = ({ text, startLine }: Passage, { start }: TextSpan): number =>
  startLine + text.slice(0, start).split('\n').length - 1;

/** Why a hop follows; the places that it speaks of are links. */
function reasonView(
  turn: TurnView,
  hops: readonly Hop[],
  hop: Hop,
  actions: PanelActions,
): (string | TemplateResult)[] {
  const { terms } = hop.why;
  const { text, line: told } = reasonInWords(hop.why, t);
  const { line, word } = placesOfReason(hops, hop, told?.number);
  const link = (place: Place, content: unknown): TemplateResult =>
    html`<button
      class="reason-place"
      type="button"
      title=${`${place.passage.path}:${place.line}`}
      @click=${opening(actions, turn.runId, place.passage.id, place.line)}
    >
      ${content}
    </button>`;
  const { start, end } = line && told ? told : { start: text.length, end: text.length };
  const wrap = word && ((content: TemplateResult): TemplateResult => link(word, content));
  return [
    ...emphasise(text.slice(0, start), terms, wrap),
    ...(line && told ? [link(line, text.slice(start, end)), ...emphasise(text.slice(end), terms)] : []),
  ];
}

/** The text with its linking words marked like those in the passages, the last of them wrapped. */
function emphasise(
  text: string,
  terms: readonly string[],
  wrap: (content: TemplateResult) => TemplateResult = (content) => content,
): (string | TemplateResult)[] {
  const wanted = terms
    .filter((term) => term !== '' && !isFileEnding(term))
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (wanted.length === 0) return [text];
  // Neither `Router` of “TrieRouter” nor that of a file's name.
  const parts = text.split(new RegExp(`(?<![\\w$])(${wanted.join('|')})(?![\\w$]|\\.\\w)`, 'gi'));
  if (parts.length === 1) return parts;
  const last = parts.length - 2;
  // Between a quotation mark and a button the browser would break the line: the marks go with it.
  const [opening, closing] = [signOf(parts[last - 1]?.at(-1)), signOf(parts[last + 1]?.[0])];
  return parts.map((part, index) => {
    if (index === last - 1) return part.slice(0, part.length - opening.length);
    if (index === last + 1) return part.slice(closing.length);
    if (index % 2 === 0) return part;
    const marked = html`<mark>${part}</mark>`;
    return index === last ? html`<span class="unbroken">${opening}${wrap(marked)}${closing}</span>` : marked;
  });
}

const signOf = (character = ''): string => (/[^ \p{L}\p{N}]/u.test(character) ? character : '');

/** Signs that turn the direction of text make a title read as another one. */
const withoutDirections = (text: string): string => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

function placeOf(hop: Hop, citations: readonly Citation[]): string {
  if (hop.passage.page !== undefined) return t('p. {0}', hop.passage.page);
  return String(lineOfHop(hop, citations));
}

/** The title without the document's name when that only repeats the file's. */
function shortTitle(title: string, path: string): string {
  const parts = titleParts(title);
  const stem = stemOf(path).toLowerCase();
  const rest = parts.length > 1 && parts[0]?.toLowerCase() === stem ? parts.slice(1) : parts;
  return withoutDirections(rest.join(' › '));
}
