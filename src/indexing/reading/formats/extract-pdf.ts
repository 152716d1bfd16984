import { extractText, getDocumentProxy } from 'unpdf';
import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { SourceText } from '../text/source-text.ts';
import { stemOf } from './parse-markdown.ts';
import { UnreadableDocumentError } from './unreadable-document-error.ts';

/** The text of a document that is not text itself, with what a parser would have said of it. */
export interface ExtractedDocument {
  source: SourceText;
  parsed: ParsedFile;
}

/** Text of a PDF page by page. Rejects with UnreadableDocumentError when it is encrypted, damaged or has no text. */
export async function extractPdf(bytes: Uint8Array, path: string): Promise<ExtractedDocument> {
  const { pages, title } = await pagesOf(bytes);
  if (pages.every((page) => page.trim() === '')) throw new UnreadableDocumentError('the PDF has pictures of text only, or none at all');
  const documentTitle = title || stemOf(path);
  const source = new SourceText(pages.join('\n'));
  const blocks: Block[] = [];
  let line = 1;
  pages.forEach((page, i) => {
    const endLine = line + page.split('\n').length - 1;
    blocks.push({ startLine: line, endLine, kind: 'page', title: `${documentTitle} > Page ${i + 1}`, page: i + 1, children: [], solitary: true, family: 'prose' });
    line = endLine + 1;
  });
  return { source, parsed: { blocks, links: textLinks(source), rest: { kind: 'page', family: 'prose', title: documentTitle } } };
}

async function pagesOf(bytes: Uint8Array): Promise<{ pages: string[]; title: string }> {
  try {
    // The reader takes the buffer over, so it gets one of its own; 0 keeps it from printing warnings about odd fonts.
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    try {
      const { text } = await extractText(document, { mergePages: false });
      const { info } = await document.getMetadata();
      const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
      return { pages: text.map((page) => page.replace(/\r\n?/g, '\n')), title: /^(?:untitled|microsoft word\b.*|.*\.(?:docx?|tex|indd))?$/i.test(title) ? '' : title };
    } finally {
      await document.destroy();
    }
  } catch (error) {
    const encrypted = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableDocumentError(encrypted ? 'the PDF asks for a password' : `the PDF is damaged (${error instanceof Error ? error.message : String(error)})`, { cause: error });
  }
}
