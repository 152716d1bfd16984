import type { PlacedLink } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { fileNamesIn } from './file-name-shape.ts';

const URL = /\bhttps?:\/\/[^\s<>"'`)\]}|\\^]+/g;
const QUICK_LOOK = /[./]/;

/** A stretch of the text, as offsets, in which names of files and addresses are looked for. */
export interface TextStretch {
  start: number;
  end: number;
}

/**
 * Web addresses and words that may name a file, in the whole text or in some stretches of it (comments and strings).
 */
export function textLinks(source: SourceText, stretches?: readonly TextStretch[]): PlacedLink[] {
  const links: PlacedLink[] = [];
  const whole: TextStretch[] = [{ start: 0, end: source.text.length }];
  for (const { start, end } of stretches ?? whole) {
    const text = start === 0 && end === source.text.length ? source.text : source.text.slice(start, end);
    if (QUICK_LOOK.test(text)) collect(source, text, start, links);
  }
  return links;
}

function collect(source: SourceText, text: string, offset: number, links: PlacedLink[]): void {
  const addresses: TextStretch[] = [];
  for (const match of text.matchAll(URL)) {
    const target = withoutTrailingMarks(match[0]);
    links.push(place(source, offset + match.index, { kind: 'url', target }));
    addresses.push({ start: match.index, end: match.index + match[0].length });
  }
  let next = 0;
  for (const { name, index } of fileNamesIn(text)) {
    while ((addresses[next]?.end ?? Infinity) <= index) next += 1;
    if ((addresses[next]?.start ?? Infinity) > index)
      links.push(place(source, offset + index, { kind: 'path', target: name }));
  }
}

/** What ends a sentence or an emphasis is no part of an address. */
function withoutTrailingMarks(address: string): string {
  let end = address.length;
  while (end > 0 && '.,;:!?*_'.includes(address[end - 1] ?? ' ')) end -= 1;
  return address.slice(0, end);
}

function place(source: SourceText, offset: number, link: Pick<PlacedLink, 'kind' | 'target'>): PlacedLink {
  const line = source.lineAt(offset);
  return { ...link, line, column: offset - source.offsetOf(line) };
}
