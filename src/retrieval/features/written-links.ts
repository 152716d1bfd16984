import { keysOfLink } from '../../indexing/link-keys.ts';
import type { Passage, PassageLink, LinkKind } from '../../model/passage.ts';
import type { TextSpan } from '../../model/passage-chain.ts';

/** Links that a writer sets by hand in place of a name; what code imports or calls says less. */
const WRITTEN: ReadonlySet<LinkKind> = new Set(['wikilink', 'markdown', 'path']);

/** For every key that the passage's written links point at, the place of the sentence that holds the first link to it. */
export function writtenLinks(passage: Passage, sentences: readonly TextSpan[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const link of passage.links) {
    if (!WRITTEN.has(link.kind)) continue;
    const at = offsetOf(passage, link);
    const sentence = Math.max(0, sentences.findIndex(({ end }) => at < end));
    for (const key of keysOfLink(link)) if (!places.has(key)) places.set(key, sentence);
  }
  return places;
}

/** Where a link is written, as exactly as its line and target tell. */
function offsetOf(passage: Passage, link: PassageLink): number {
  let line = 0;
  for (let row = passage.startLine; row < link.line; row++) {
    const next = passage.text.indexOf('\n', line);
    if (next < 0) break;
    line = next + 1;
  }
  const exact = passage.text.indexOf(link.target, line);
  return exact < 0 ? line : exact;
}
