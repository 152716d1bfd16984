import type { ParsedFile } from './chunk/block.ts';
import type { CodeParser } from './code/code-parser.ts';
import { parseMarkdown } from './formats/parse-markdown.ts';
import { parsePlainText } from './formats/parse-plain-text.ts';
import { parseRestructuredText } from './formats/parse-restructured-text.ts';
import { parseTextBlocks } from './formats/parse-text-blocks.ts';
import type { FileLanguage } from './language-of.ts';
import type { SourceText } from './text/source-text.ts';

/** What reads text files by their format; never PDF or DOCX, whose text has to be taken out first. */
export async function parseFile(source: SourceText, path: string, { language, format }: FileLanguage, code: CodeParser): Promise<ParsedFile> {
  switch (format) {
    case 'code': return (await code.supports(language)) ? code.parse(source, path, language) : parseTextBlocks(source);
    case 'markdown': return parseMarkdown(source, path);
    case 'plain-text': return parsePlainText(source);
    case 'restructured-text': return parseRestructuredText(source, path);
    case 'html': case 'json': case 'yaml': case 'toml': case 'csv': case 'notebook':
    case 'pdf': case 'docx': case 'text': return parseTextBlocks(source, language === 'log' || language === 'latex' || language === 'asciidoc' ? 'prose' : 'code');
  }
}
