import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../vscode-host/locations.ts';

const manifest = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};
/** The doors of the rooms, and the file behind each. */
export const doors: Readonly<Record<string, string>> = manifest.imports;

/** Rooms from the lowest to the highest, by where their files begin. A room uses those below it, never those above. */
const RANKS: readonly (readonly string[])[] = [
  ['src/base/'],
  ['src/search/'],
  ['src/research/'],
  ['src/learning/'],
  ['src/hoptrail.ts', 'src/engine.ts'],
  ['src/vscode/', 'src/cli/'],
  ['lab/'],
];
const rankOf = (file: string): number => RANKS.findIndex((starts) => starts.some((start) => file.startsWith(start)));
const roomOf = (file: string): string =>
  RANKS.flat().find((start) => file.startsWith(start) && !start.endsWith('.ts')) ?? // engine.ts is hoptrail.ts's own
  (rankOf(file) < 0 ? (file.split('/')[0] ?? '') : 'root');

/** Libraries that one room alone knows; the webview sees no Node either. */
const OWNED: readonly (readonly [library: RegExp, owner: string])[] = [
  [/^(?:@lancedb\/|apache-arrow)/, 'src/search/store/'],
  [/^(?:@huggingface\/transformers|onnxruntime-)/, 'src/search/embedding/'],
  [/^vscode$/, 'src/vscode/'],
];

/** What puts rooms together; benchmarks measure the parts one by one. */
const COMPOSERS = new Set(['startIndexProcess', 'createResearcher', 'createClassifiers', 'openLearning']);
const composes = (file: string): boolean => roomOf(file) === 'root' || file.startsWith('lab/bench/');

/** What is wrong with a file of `src`, `webview` or `lab` that imports this; undefined: nothing. */
function problem(file: string, imported: string): string | undefined {
  const isLab = file.startsWith('lab/');
  const isWebview = file.startsWith('webview/');
  if (imported.startsWith('.')) {
    const target = roomOf(path.posix.join(path.posix.dirname(file), imported));
    const helps = isLab && (target === 'scripts' || target === 'test'); // what drives editor and browser
    return target === roomOf(file) || helps ? undefined : 'a room is entered by its door';
  }
  if (imported.startsWith('#')) {
    const target = doors[imported];
    if (target === undefined) return 'there is no such door';
    if (isWebview) return imported === '#protocol' ? undefined : 'the webview sees #protocol alone';
    if (imported.endsWith('/lab')) return isLab ? undefined : 'what experiments see of a room is theirs alone';
    // The evaluation is a bundle of its own, which the command line loads where it is there.
    if (imported === '#lab') return file === 'src/cli/main.ts' ? undefined : 'nothing ships with the lab in it';
    return rankOf(path.posix.normalize(target)) < rankOf(file) ? undefined : 'that room is not below this one';
  }
  if (isWebview && imported.startsWith('node:')) return 'the webview has no Node';
  const owner = OWNED.find(([library]) => library.test(imported))?.[1];
  if (owner === undefined || file.startsWith(owner)) return undefined;
  return isLab && owner !== 'src/vscode/' ? undefined : `${owner} alone knows it`;
}

/** What a file imports though it may not, and why; `source` is its text. */
export function wrongImports(file: string, source: string): string[] {
  const { importedFiles } = ts.preProcessFile(source);
  const wrong = importedFiles.flatMap(({ fileName }) => {
    const why = problem(file, fileName);
    return why === undefined ? [] : [`${file} imports ${fileName}: ${why}`];
  });
  return [...wrong, ...(composes(file) ? [] : composedIn(file, source))];
}

/** Names that put rooms together, where a file imports them from a door for more than their types. */
function composedIn(file: string, source: string): string[] {
  if (![...COMPOSERS].some((name) => source.includes(name))) return [];
  return ts
    .createSourceFile(file, source, ts.ScriptTarget.Latest)
    .statements.filter(ts.isImportDeclaration)
    .flatMap(({ importClause, moduleSpecifier }) => {
      const isDoor = ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text.startsWith('#');
      const named = importClause?.namedBindings;
      if (!isDoor || !named || !ts.isNamedImports(named)) return [];
      if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
      return named.elements
        .filter(({ isTypeOnly, propertyName, name }) => !isTypeOnly && COMPOSERS.has((propertyName ?? name).text))
        .map(({ name }) => `${file} imports ${name.text}: src/hoptrail.ts alone puts the rooms together`);
    });
}
