import { repositoryRoot as root } from '../../../../scripts/vscode-host/locations.ts';
import { CodeParser } from '../../../../src/search/reading/code/code-parser.ts';
import { fileKindOf } from '../../../../src/search/reading/formats/file-formats.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { type References, encodeReferences } from '../../../../src/search/domain/references.ts';
import { isProgram, isWithoutGrammar } from '../../../../src/search/reading/file-role.ts';
import { qualifiedName, readProgram, type ReferenceRow } from '../../../../src/search/references/program.ts';
import { type Edge, ReferenceGraph } from '../../../../src/search/references/reference-graph.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';

const parser = new CodeParser(root, (message) => {
  throw new Error(message);
});

/** What a program's text says of names. */
export async function referencesOf(path: string, text: string): Promise<References> {
  const source = new SourceText(text);
  const { references } = await parser.parse(source, path, fileKindOf(path, source.line(1)).language);
  if (!references) throw new Error(`${path} gives no references`);
  return references;
}

/** What a program says of names, a page, or a file of settings, as it is stored. */
async function readOf(path: string, text: string): Promise<string> {
  if (isWithoutGrammar(path)) return '';
  if (isProgram(path)) return encodeReferences(await referencesOf(path, text), 1);
  const { language, format } = fileKindOf(path, text);
  if ('extract' in format) return '';
  const { references } = await format.read(new SourceText(text), path, { language, code: parser });
  return references ? encodeReferences(references, 1) : '';
}

async function rowsOf(files: Readonly<Record<string, string>>): Promise<(ReferenceRow & { text: string })[]> {
  const rows: (ReferenceRow & { text: string })[] = [];
  for (const [path, text] of Object.entries(files)) {
    const { language } = fileKindOf(path, text);
    const references = await readOf(path, text);
    rows.push({ id: path, path, language, startLine: 1, references, text });
  }
  return rows;
}

/** The graph of some files, each one passage. */
export async function graphOf(files: Readonly<Record<string, string>>): Promise<ReferenceGraph> {
  const rows = await rowsOf(files);
  return new ReferenceGraph(await readProgram(rows.filter(({ references }) => references !== '')), Object.keys(files));
}

/** The same as an index. */
export async function indexOf(files: Readonly<Record<string, string>>): Promise<MemoryPassageIndex> {
  return new MemoryPassageIndex(
    (await rowsOf(files)).map((row) => ({
      ...row,
      uri: `file:///${row.path}`,
      endLine: row.text.split('\n').length,
      kind: 'code',
      title: '',
      contentHash: row.path,
      links: [],
    })),
  );
}

/** `calls store.ts:3 serve → load`. */
export const shown = ({ relation, path, line, from, to }: Edge): string =>
  `${relation} ${path}:${line} ${from ? qualifiedName(from) : '-'} → ${qualifiedName(to)}`;

/** All edges out of a file that are sure, by line. */
export function edgesFrom(graph: ReferenceGraph, path: string): string[] {
  const file = graph.program.files.get(path);
  return (file?.uses ?? [])
    .flatMap((use) => graph.edgesOf(use))
    .filter(({ confidence }) => confidence >= 0.5)
    .sort((a, b) => a.line - b.line)
    .map(shown);
}
