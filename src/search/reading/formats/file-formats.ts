import { codeFormat } from '../code/code-format.ts';
import { codeLanguages } from '../code/code-languages.ts';
import { docx } from './extract-docx.ts';
import { pdf } from './extract-pdf.ts';
import type { FileFormat } from './file-format.ts';
import { csv } from './parse-csv.ts';
import { html } from './parse-html.ts';
import { json } from './parse-json.ts';
import { markdown } from './parse-markdown.ts';
import { notebook } from './parse-notebook.ts';
import { plainText } from './parse-plain-text.ts';
import { restructuredText } from './parse-restructured-text.ts';
import { toml } from './parse-toml.ts';
import { yaml } from './parse-yaml.ts';
import { textBlocks } from './text-blocks.ts';

/** All formats: the one place where each is named. A link without an extension is tried in this order. */
export const fileFormats: readonly FileFormat[] = [
  codeFormat(codeLanguages),
  markdown,
  restructuredText,
  plainText,
  notebook,
  html,
  json,
  yaml,
  toml,
  csv,
  pdf,
  docx,
  textBlocks,
];
