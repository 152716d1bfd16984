import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { lineRuns } from './line-runs.ts';
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
  const blocks = lineRuns(source, { startLine: 1, endLine: source.lineCount }).map((run): Block => ({
    ...run,
    kind: 'paragraph',
    title: '',
    children: [],
    family: 'prose',
  }));
  return { blocks, links: textLinks(source), rest: { kind: 'paragraph', family: 'prose', title: '' } };
}
