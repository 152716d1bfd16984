import { addTo, baseName, remembered } from '#base';
import { codeLanguages } from '../reading/code/code-languages.ts';
import { codeLanguageOf } from '../reading/code/language-of.ts';
import type { ProjectFile, ProjectModules, ProjectReader } from '../reading/code/project-reader.ts';

const READERS = [...new Set(codeLanguages.flatMap(({ projectFiles }) => projectFiles ?? []))];

/** Patterns of their paths, in which `%` stands for anything: what a storage can look for. */
export const projectFilePatterns: readonly string[] = READERS.flatMap(({ files, alsoJsonWith }) => [
  ...files.map((name) => `%${name}`),
  ...(alsoJsonWith === undefined ? [] : [`%${alsoJsonWith}%.json`]),
]);

const isFor =
  ({ path }: Pick<ProjectFile, 'path'>) =>
  ({ files, alsoJsonWith }: ProjectReader): boolean =>
    files.includes(baseName(path)) ||
    (alsoJsonWith !== undefined && path.endsWith('.json') && path.includes(alsoJsonWith));

/** Project files among passages, each put together from its parts. */
export function projectFilesOf(passages: readonly { path: string; startLine: number; text: string }[]): ProjectFile[] {
  const byPath = new Map<string, { startLine: number; text: string }[]>();
  for (const passage of passages) if (READERS.some(isFor(passage))) addTo(byPath, passage.path, passage);
  return [...byPath].map(([path, parts]) => ({
    path,
    text: parts
      .sort((a, b) => a.startLine - b.startLine)
      .map(({ text }) => text)
      .join('\n'),
  }));
}

/** What the project files of a workspace say of modules, read by language when first asked. */
export class ProjectFiles {
  readonly #files: readonly ProjectFile[];
  readonly #read = new Map<ProjectReader, ProjectModules>();

  constructor(files: readonly ProjectFile[]) {
    this.#files = [...files].sort(
      (a, b) => a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1),
    );
  }

  /** Undefined for a language that has none. */
  of(language: string): ProjectModules | undefined {
    const reader = codeLanguageOf(language)?.projectFiles;
    return (
      reader && remembered(this.#read, reader, () => reader.read(this.#files.filter((file) => isFor(file)(reader))))
    );
  }
}
