import { baseName, folderOf, expression } from '#base';
import type { ResolvedImport } from '../reading/code/code-language.ts';
import { codeLanguages } from '../reading/code/code-languages.ts';
import { codeLanguageOf } from '../reading/code/language-of.ts';
import type { ModuleFiles, ProjectFile } from '../reading/code/project-reader.ts';
import { programExtensions } from '../reading/formats/parse-text-blocks.ts';
import { PathTable } from '../reading/links/path-table.ts';
import { ProjectFiles } from './project-files.ts';

/** Finds the files of imports by the paths that are indexed and by what project files say. */
export class Modules {
  readonly #table: PathTable;
  readonly #project: ProjectFiles;
  readonly #known = new Map<string, ModuleFiles | undefined>();

  constructor(paths: readonly string[], projectFiles: readonly ProjectFile[]) {
    this.#table = new PathTable([...paths].sort());
    this.#project = new ProjectFiles(projectFiles);
  }

  /** Undefined for a module outside of the workspace. @param name The first imported symbol. */
  find(module: string, name: string | undefined, from: string, language: string): ModuleFiles | undefined {
    if (module === '') return undefined;
    const key = `${from}\n${module}\n${name ?? ''}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const found = this.#look(module, name, from, language);
    this.#known.set(key, found);
    return found;
  }

  /** Whether project files give a module of the workspace this name. */
  names(module: string, from: string, language: string): boolean {
    return this.#project.of(language)?.names?.(module, from) ?? false;
  }

  #look(module: string, name: string | undefined, from: string, language: string): ModuleFiles | undefined {
    const said = this.#project.of(language)?.find(module, name, from, this.#table);
    if (said === 'outside') return undefined;
    if (typeof said === 'object') return said;
    const found = codeLanguageOf(language)?.resolveImport?.(module, name, from, this.#table);
    return found ? this.#whole(found) : said && { paths: [] };
  }

  /** A package is all of its files. */
  #whole({ path, isPackage, nameIsModule }: ResolvedImport): ModuleFiles {
    if (!isPackage) return { paths: [path], ...(nameIsModule && { nameIsModule }) };
    const extension = path.slice(path.lastIndexOf('.'));
    return { paths: this.#table.filesIn(folderOf(path)).filter((file) => file.endsWith(extension)) };
  }
}

const PROGRAMS = new Set([...codeLanguages.flatMap(({ extensions }) => extensions), ...programExtensions]);

/** Whether a file's name says that it is of a program. */
export const isProgram = (path: string): boolean => PROGRAMS.has(/\.([\w+]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|spec|specs|testing|testdata|e2e)\//i;
const TEST_FILE = /[._-](?:test|tests|spec|specs)\.\w+$/;
const TEST_FILES = new Map(
  codeLanguages.flatMap(({ extensions, testFiles }) =>
    testFiles ? extensions.map((extension) => [extension, testFiles] as const) : [],
  ),
);

const isTestFile = (name: string): boolean =>
  TEST_FILE.test(name) || (TEST_FILES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())?.test(name) ?? false);

const EXAMPLE_FOLDER = /(?:^|\/)(?:examples?|samples?|demos?|fixtures?|benchmarks?|bench|docs?)\//i;
const TRANSLATION = /(?:^|\/)(?:locales?|i18n|l10n|lang|translations?)\//i;
const GENERATED = expression('i')`
  (?:^|\/)(?:(?:generated|__generated__|gen|vendor|vendored|third[_-]party|node_modules|dist|migrations)\/|
    zz_generated[^/]*$)|(?:\.pb\.go|_pb2(?:_grpc)?\.pyi?|\.g\.dart|[._](?:generated|gen)\.\w+|\.min\.js)$
`;
/** `_fd`, `http.fish`, `fd.bash-completion`, and scripts in a folder of them; programs may write such. */
const COMPLETION = expression('i')`
  (?:^|\/)(?:_[\w-]+|[^/]*\.fish|[^/]*[.-]completions?(?:\.(?:ba|z)?sh)?|[^/]*[.-](?:bash|zsh)-completions?)$|
  (?:^|\/)(?:auto)?(?:complet(?:e|ions?))\/[^/]*\.(?:bash|zsh|sh|ps1|nu|elv)$
`;

/** `CHANGELOG.md`, `UPGRADING.md`: what was so once stands there beside what is. In small letters it may be a page. */
const HISTORY = expression('')`
  (?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES|RELEASE[_-]NOTES|UPGRAD(?:E|ING)|MIGRAT(?:ION|ING))
  (?:\.\w{1,5})?$|(?:^|\/)(?:Change[Ll]og|changelog|Changes)(?:\.\w{1,5})?$
`;

/** `AUTHORS`, `CONTRIBUTORS.md`: names and addresses, in which any word may be found. */
const CREDITS = /(?:^|\/)(?:(?:AUTHORS|CONTRIBUTORS|THANKS|CREDITS)(?:\.\w{1,5})?|\.mailmap)$/;

/** `LICENSE`, `LICENSE-MIT`, `License.txt`, `MIT-LICENSE`, `LICENSES/CC0.txt`, `COPYING`. */
const LICENCE = expression('')`
  (?:^|\/)(?:[A-Z]{2,8}-)?(?:UN)?LICEN[CS]ES?(?:[-._][\w.-]{1,40})?$|(?:^|\/)[Ll]icen[cs]e(?:\.(?:md|txt|rst))?$|
  (?:^|\/)(?:COPYING|COPYRIGHT|NOTICES?|PATENTS)(?:\.(?:md|txt|rst|LESSER|LIB))?$|(?:^|\/)LICENSES\/
`;

/** What a tool keeps for itself: a solution of Visual Studio, a project of Xcode. */
const TOOLS_OWN = /\.(?:slnx?|pbxproj|xcscheme|xcworkspacedata|storyboard|xib|DotSettings)$/i;

/** What a file is for, by its path. */
export type FileRole =
  | 'source'
  | 'test'
  | 'example'
  | 'translation'
  | 'generated'
  | 'completion'
  | 'history'
  | 'licence'
  | 'credits'
  | 'tools-own';

export function roleOf(path: string): FileRole {
  if (LICENCE.test(path) && !isProgram(path)) return 'licence';
  if (TOOLS_OWN.test(path)) return 'tools-own';
  if (HISTORY.test(path)) return 'history';
  if (CREDITS.test(path)) return 'credits';
  if (COMPLETION.test(path)) return 'completion';
  if (TEST_FOLDER.test(path) || isTestFile(baseName(path))) return 'test';
  if (GENERATED.test(path)) return 'generated';
  if (TRANSLATION.test(`${folderOf(path)}/`)) return 'translation';
  return EXAMPLE_FOLDER.test(path) ? 'example' : 'source';
}
