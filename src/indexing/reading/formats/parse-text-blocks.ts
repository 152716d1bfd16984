import type { ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';

/** Lines of a text that nothing else is known about: cut at blank lines and shallow indentation. Also every parser's fallback. */
export function parseTextBlocks(source: SourceText, family: 'code' | 'prose' = 'code'): ParsedFile {
  return { blocks: [], links: textLinks(source), rest: { kind: 'block', family, title: '' } };
}
