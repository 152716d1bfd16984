import type { ParsedFile } from './chunk/block.ts';
import type { CodeParser } from './code/code-parser.ts';
import { parseCsv } from './formats/parse-csv.ts';
import { parseHtml } from './formats/parse-html.ts';
import { parseJson } from './formats/parse-json.ts';
import { parseMarkdown } from './formats/parse-markdown.ts';
import { parseNotebook } from './formats/parse-notebook.ts';
import { parsePlainText, parseTextBlocks } from './formats/parse-plain-text.ts';
import { parseRestructuredText } from './formats/parse-restructured-text.ts';
import { parseToml } from './formats/parse-toml.ts';
import { parseYaml } from './formats/parse-yaml.ts';
import type { FileLanguage } from './language-of.ts';
import type { SourceText } from './text/source-text.ts';

/** What reads text files by their format; never PDF or DOCX, whose text has to be taken out first. */
export async function parseFile(
  source: SourceText,
  path: string,
  { language, format }: FileLanguage,
  code: CodeParser,
): Promise<ParsedFile> {
  switch (format) {
    case 'code':
      return (await code.supports(language)) ? code.parse(source, path, language) : parseTextBlocks(source);
    case 'markdown':
      return parseMarkdown(source, path);
    case 'plain-text':
      return parsePlainText(source);
    case 'restructured-text':
      return parseRestructuredText(source, path);
    case 'html':
      return parseHtml(source, path);
    case 'json':
      return parseJson(source);
    case 'yaml':
      return parseYaml(source);
    case 'toml':
      return parseToml(source);
    case 'csv':
      return parseCsv(source);
    case 'notebook':
      return parseNotebook(source, path, code);
    case 'pdf':
    case 'docx':
    case 'text':
      return parseTextBlocks(source, PROSE.has(language) ? 'prose' : 'code');
  }
}

const PROSE = new Set(['log', 'latex', 'asciidoc', 'org', 'plaintext']);
