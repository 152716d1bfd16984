import { html, nothing, type TemplateResult } from 'lit';
import type { DrawnLine } from '../passage/segments.ts';

const PROSE = new Set(['markdown', 'plaintext', 'restructuredtext', 'html', 'pdf', 'docx']);

/** Lines of a passage with their numbers, colours and marks. Leading space that all lines share is not shown. */
export function passageLines(lines: readonly (DrawnLine | 'gap')[], language: string): TemplateResult {
  const indent = commonIndent(lines);
  return html`<div class="lines ${PROSE.has(language) ? 'prose' : 'code'}">
    ${lines.map((line) =>
      line === 'gap'
        ? html`<div class="gap" aria-hidden="true"><span class="number">⋯</span></div>`
        : html`<div class="line">
            <span class="number" aria-hidden="true">${line.number}</span
            ><span class="text">${drawSegments(line, indent)}</span>
          </div>`,
    )}
  </div>`;
}

function drawSegments(line: DrawnLine, indent: number): (TemplateResult | string | typeof nothing)[] {
  let skip = indent;
  return line.segments.map((segment) => {
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
