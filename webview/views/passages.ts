import { html, nothing, type TemplateResult } from 'lit';
import { cellsOf, type DrawnLine, drawLines, excerpt, type Segment, shownSegments } from '../passage/draw-lines.ts';
import { baseName, isProseLanguage, type Passage } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';

/**
 * Lines of a passage with their numbers, colours and marks, Markdown as it reads: without its signs, tables in cells.
 * Leading space that all lines share is not shown.
 */
export function passageLines(lines: readonly (DrawnLine | 'gap')[], language: string): TemplateResult {
  const indent = commonIndent(lines);
  return html`<div class="lines ${isProseLanguage(language) ? 'prose' : 'code'}">
    ${tablesTogether(lines).map((part) =>
      part === 'gap'
        ? html`<div class="gap" aria-hidden="true"><span class="number">⋯</span></div>`
        : Array.isArray(part)
          ? html`<div class="rows" tabindex="0"><div class="table">${part.map(rowView)}</div></div>`
          : html`<div class=${part.isCited ? 'line quoted' : 'line'}>
              <span class="number" aria-hidden="true">${part.number}</span
              ><span class="text">${drawSegments(shownSegments(part), indent)}</span>
            </div>`,
    )}
  </div>`;
}

/** A row of a table, by its line and its cells. */
interface Row extends Pick<DrawnLine, 'number' | 'isCited'> {
  cells: Segment[][];
}

/**
 * Joins table rows that follow one another into one part, so that the cells of a column are drawn below one another.
 */
function tablesTogether(lines: readonly (DrawnLine | 'gap')[]): (DrawnLine | 'gap' | Row[])[] {
  const parts: (DrawnLine | 'gap' | Row[])[] = [];
  for (const line of lines) {
    const cells = line === 'gap' ? undefined : cellsOf(line);
    const last = parts.at(-1);
    if (line === 'gap' || cells === undefined) {
      if (line === 'gap' || !line.segments.some(({ kind }) => kind === 'rule')) parts.push(line);
    } else if (Array.isArray(last)) last.push({ ...line, cells });
    else parts.push([{ ...line, cells }]);
  }
  return parts;
}

function rowView({ number, cells, isCited }: Row): TemplateResult {
  return html`<div class=${isCited ? 'row quoted' : 'row'}>
    <span class="number" aria-hidden="true">${number}</span>${cells.map(
      (cell) => html`<span class="cell">${drawSegments(cell, 0)}</span>`,
    )}
  </div>`;
}

function drawSegments(segments: readonly Segment[], indent: number): (TemplateResult | string | typeof nothing)[] {
  let skip = indent;
  return segments.map((segment) => {
    const text = segment.text.slice(skip);
    skip = Math.max(0, skip - segment.text.length);
    if (text === '') return nothing;
    if (segment.marked) return html`<mark class="tok-${segment.kind}">${text}</mark>`;
    return segment.kind === 'plain' ? text : html`<span class="tok-${segment.kind}">${text}</span>`;
  });
}

function commonIndent(lines: readonly (DrawnLine | 'gap')[]): number {
  const indents = lines.flatMap((line) => {
    if (line === 'gap') return [];
    const text = line.segments.map((segment) => segment.text).join('');
    return text.trim() === '' ? [] : [text.length - text.trimStart().length];
  });
  return indents.length === 0 ? 0 : Math.min(...indents);
}

/**
 * A file and a line of it. Whatever script the path is in, the line stands behind it, and neither moves among the words
 * around.
 */
export function placeView(path: string, line: number | string): TemplateResult {
  return html`<bdi dir="ltr"><bdi>${path}</bdi>:${line}</bdi>`;
}

/** A place that can be clicked; only the file's own name is shown, its whole path is told on pointing at it. */
export function sourceLink(path: string, line: number, open: (event: MouseEvent) => void): TemplateResult {
  return html`<button class="source-link" type="button" title=${`${path}:${line}`} @click=${open}>
    ${placeView(baseName(path), line)}
  </button>`;
}

/** Whether a click opens beside what is open. */
export const isToSide = ({ ctrlKey, metaKey, altKey }: MouseEvent): boolean => ctrlKey || metaKey || altKey;

/** What a click on a passage does: it opens, at this line where one is meant. */
export const opening =
  (actions: PanelActions, runId: string, passageId: string, line?: number) =>
  (event: MouseEvent): void =>
    actions.post({
      type: 'open',
      runId,
      passageId,
      ...(line !== undefined && { startLine: line, endLine: line }),
      toSide: isToSide(event),
    });

/** Does nothing at the end of a click that has selected text: who copies a line does not want to open its file. */
export const unlessSelecting =
  (open: (event: MouseEvent) => void) =>
  (event: MouseEvent): void => {
    if (getSelection()?.type !== 'Range') open(event);
  };

/** What a quick search found, in the trail's place until the trail comes: links, each with its leading line. */
export function firstHitsView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { firstHits } = turn.run;
  if (!firstHits) return nothing;
  return html`<section class="first-hits" aria-label=${t('Found so far')}>
    <h3 class="section-title">${t('Found so far')}</h3>
    <ul class="plain">
      ${firstHits.map(({ passage }) => hitView(turn, passage, actions))}
    </ul>
  </section>`;
}

function hitView({ runId }: TurnView, passage: Passage, actions: PanelActions): TemplateResult {
  const { lines } = excerpt(drawLines(passage.text, passage.language, passage.startLine, []), 1);
  const open = opening(actions, runId, passage.id);
  return html`<li>
    <button
      class="source-link"
      type="button"
      title=${t('{0}\nClick to open, Ctrl+click to open to the side', passage.path)}
      @click=${open}
    >
      ${placeView(passage.path, passage.page === undefined ? passage.startLine : t('p. {0}', passage.page))}
    </button>
    <div class="excerpt" @click=${unlessSelecting(open)}>${passageLines(lines, passage.language)}</div>
  </li>`;
}
