import { stemOf } from '#base';
import { getDocumentProxy } from 'unpdf';
import { type Excess, plainly } from '../../domain/file-cause.ts';
import { titleUnder } from '../../domain/passage-title.ts';
import type { Block } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { readingLimits } from '../reading-limits.ts';
import { SourceText } from '../text/source-text.ts';
import { UnreadableDocumentError, type DocumentFormat, type ExtractedDocument } from './file-format.ts';

export const pdf: DocumentFormat = { name: 'pdf', extensions: { pdf: 'pdf' }, extract: extractPdf };

/** Text of a PDF page by page. Rejects with UnreadableDocumentError when it is encrypted, damaged or has no text. */
async function extractPdf(bytes: Uint8Array, path: string): Promise<ExtractedDocument> {
  const { pages, title } = await pagesOf(bytes);
  if (pages.every((page) => page.trim() === '')) throw new UnreadableDocumentError(plainly('pdf-without-text'));
  const documentTitle = title || stemOf(path);
  const source = new SourceText(pages.join('\n'));
  const blocks: Block[] = [];
  let line = 1;
  pages.forEach((page, i) => {
    const endLine = line + page.split('\n').length - 1;
    blocks.push({
      startLine: line,
      endLine,
      kind: 'page',
      title: titleUnder(documentTitle, `Page ${i + 1}`),
      page: i + 1,
      children: [],
      solitary: true,
      family: 'prose',
    });
    line = endLine + 1;
  });
  return {
    source,
    parsed: { blocks, links: textLinks(source), rest: { kind: 'page', family: 'prose', title: documentTitle } },
  };
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function pagesOf(bytes: Uint8Array): Promise<{ pages: string[]; title: string }> {
  try {
    // The reader takes the buffer over, so it gets one of its own; 0 keeps it from printing warnings about odd fonts.
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    try {
      const { numPages } = document;
      if (numPages > readingLimits.pdfPages)
        throw overLimit({ code: 'pages', details: { pages: numPages, most: readingLimits.pdfPages } });
      const pages: string[] = [];
      let charactersLeft: number = readingLimits.pdfCharacters;
      // One page after the other: all at once would hold everything that the reader makes of them.
      for (let number = 1; number <= numPages; number++) {
        const text = await pageText(document, number, charactersLeft);
        charactersLeft -= text.length;
        pages.push(text.replace(/\r\n?/g, '\n'));
      }
      return { pages, title: await titleOf(document) };
    } finally {
      await document.destroy();
    }
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    if (error instanceof Error && error.name === 'PasswordException')
      throw new UnreadableDocumentError(plainly('pdf-locked'), error);
    const said = error instanceof Error ? error.message : String(error);
    throw new UnreadableDocumentError({ code: 'pdf-damaged', details: { said } }, error);
  }
}

/**
 * A page's text as it comes. Rejects with UnreadableDocumentError when it takes too long or is more than `most`
 * characters.
 */
async function pageText(document: PdfDocument, number: number, most: number): Promise<string> {
  const page = await document.getPage(number);
  const reader = (page.streamTextContent() as ReadableStream<{ items: object[] }>).getReader();
  const deadline = performance.now() + readingLimits.pdfPageMilliseconds;
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const item of part.value.items)
        if ('str' in item && typeof item.str === 'string')
          text += 'hasEOL' in item && item.hasEOL ? `${item.str}\n` : item.str;
      if (text.length > most)
        throw overLimit({ code: 'characters', details: { page: number, most: readingLimits.pdfCharacters } });
      if (performance.now() > deadline)
        throw overLimit({
          code: 'page-takes',
          details: { page: number, seconds: readingLimits.pdfPageMilliseconds / 1_000 },
        });
    }
  } finally {
    reader.releaseLock();
    page.cleanup();
  }
  return text;
}

async function titleOf(document: PdfDocument): Promise<string> {
  const { info } = await document.getMetadata();
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim().slice(0, 500) : '';
  return /^(?:untitled|microsoft word\b.*|.*\.(?:docx?|tex|indd))?$/i.test(title) ? '' : title;
}

const overLimit = (excess: Excess): UnreadableDocumentError =>
  new UnreadableDocumentError({ code: 'over-limit', details: { document: 'pdf', excess } });
