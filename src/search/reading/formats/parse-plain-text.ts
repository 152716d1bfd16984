import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import type { TextFormat } from './file-format.ts';

export const plainText: TextFormat = {
  name: 'plain-text',
  extensions: { txt: 'plaintext', text: 'plaintext' },
  names: {
    license: 'plaintext',
    copying: 'plaintext',
    notice: 'plaintext',
    readme: 'plaintext',
    changelog: 'plaintext',
    authors: 'plaintext',
  },
  linkedWithout: ['txt'],
  read: parsePlainText,
};

/** Plain prose: one block per paragraph, joined to groups by the chunker. */
function parsePlainText(source: SourceText): ParsedFile {
  const blocks: Block[] = [];
  let start = 0;
  for (let line = 1; line <= source.lineCount + 1; line++) {
    const blank = line > source.lineCount || source.isBlank(line);
    if (!blank && start === 0) start = line;
    if (!blank || start === 0) continue;
    blocks.push({ startLine: start, endLine: line - 1, kind: 'paragraph', title: '', children: [], family: 'prose' });
    start = 0;
  }
  return { blocks, links: textLinks(source), rest: { kind: 'paragraph', family: 'prose', title: '' } };
}
