import { baseName, folderOf, expression } from '#base';
import type { CodeLanguage, ResolvedImport } from '../reading/code/code-language.ts';
import { codeLanguages } from '../reading/code/code-languages.ts';
import { programExtensions } from '../reading/formats/parse-text-blocks.ts';
import { PathTable } from '../reading/links/path-table.ts';
import { type ProjectFile, ProjectFiles } from './project-files.ts';

/** The files that an import means. */
export interface ModuleFiles {
  /** None where the module is of the workspace, and nobody can tell which of its files is meant. */
  paths: string[];
  /** The imported name was itself the module. */
  nameIsModule?: boolean;
}

const SCRIPTS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.d.ts',
  '.d.mts',
  '.d.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
];

/** Finds the files of imports by the paths that are indexed and by what project files say. */
export class Modules {
  readonly #table: PathTable;
  readonly #project: ProjectFiles;
  readonly #languages: ReadonlyMap<string, CodeLanguage>;
  readonly #known = new Map<string, ModuleFiles | undefined>();

  constructor(paths: readonly string[], projectFiles: readonly ProjectFile[]) {
    this.#table = new PathTable([...paths].sort());
    this.#project = new ProjectFiles(projectFiles);
    this.#languages = new Map(
      codeLanguages.flatMap((language) => [language.id, ...(language.resolvesFor ?? [])].map((id) => [id, language])),
    );
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

  /** Whether a name of Rust is a crate's that the workspace holds. */
  isCrate(name: string, from: string): boolean {
    return this.#project.crate(name, from) !== undefined;
  }

  #look(module: string, name: string | undefined, from: string, language: string): ModuleFiles | undefined {
    if (familyOf(language) === 'ecmascript' && !module.startsWith('.')) {
      for (const place of this.#project.scripts(module, from)) {
        const stem = place.replace(/\.(?:[mc]?[jt]sx?)$/, '');
        const path = this.#table.findFirst([
          ...SCRIPTS.map((ending) => place + ending),
          ...SCRIPTS.map((ending) => stem + ending),
        ]);
        if (path !== undefined) return { paths: [path] };
      }
    }
    if (language === 'go' && this.#project.knowsGoModules) {
      const folder = this.#project.goFolder(module);
      return folder === undefined ? undefined : this.#folder(folder, '.go');
    }
    if (language === 'rust') {
      const [first = '', ...rest] = module.split('::');
      const sources = this.#project.crate(first, from);
      // To whoever stands in a crate, its own name is `crate`.
      const found =
        sources !== undefined &&
        this.#languages
          .get(language)
          ?.resolveImport?.(['crate', ...rest].join('::'), name, `${sources}/-.rs`, this.#table);
      if (found) return this.#whole(found);
    }
    const classes = language === 'php' ? this.#project.classes(module) : undefined;
    const path = classes && this.#table.findFirst(classes);
    if (path !== undefined) return { paths: [path] };
    const found = this.#languages.get(language)?.resolveImport?.(module, name, from, this.#table);
    // A function of one of the workspace's namespaces may stand in any file.
    return found ? this.#whole(found) : classes && { paths: [] };
  }

  /** A package is all of its files. */
  #whole({ path, isPackage, nameIsModule }: ResolvedImport): ModuleFiles {
    if (isPackage) return this.#folder(path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('.')));
    return { paths: [path], ...(nameIsModule && { nameIsModule }) };
  }

  #folder(folder: string, extension: string): ModuleFiles {
    return { paths: this.#table.filesIn(folder).filter((path) => path.endsWith(extension)) };
  }
}

/** Languages that use one another's names. */
const FAMILIES: Readonly<Record<string, string>> = {
  javascript: 'ecmascript',
  javascriptreact: 'ecmascript',
  typescript: 'ecmascript',
  typescriptreact: 'ecmascript',
  vue: 'ecmascript',
  svelte: 'ecmascript',
  c: 'c',
  cpp: 'c',
  java: 'jvm',
  kotlin: 'jvm',
};

export const familyOf = (language: string): string => FAMILIES[language] ?? language;

/** Where TypeScript looks for the types of a script: `frame.mjs` has those of `frame.d.mts`. */
export const declarationsOf = (path: string): string | undefined => {
  const [, stem, kind] = /^(.+)\.([mc]?)jsx?$/.exec(path) ?? [];
  return stem === undefined ? undefined : `${stem}.d.${kind}ts`;
};

/** Where the files of a folder share their names without an import; PHP's namespaces are folders. */
export const sharesFolder = (language: string): boolean => ['go', 'jvm', 'php'].includes(familyOf(language));

/** Where what a class holds may be written outside of it, in another file of its folder. */
export const writesApart = (language: string): boolean => !['ecmascript', 'python'].includes(familyOf(language));

/** Where members are named without the object before them, as far as a name says. */
export const namesMembersBarely = (language: string): boolean =>
  ['jvm', 'c', 'csharp', 'ruby', 'swift'].includes(familyOf(language));

/** Where a name that no import brings may be of any file: imports name packages or headers there, or nothing at all. */
export const namesAreShared = (language: string): boolean =>
  ['c', 'csharp', 'ruby', 'php', 'swift', 'rust', 'jvm'].includes(familyOf(language));

const PROGRAMS = new Set([...codeLanguages.flatMap(({ extensions }) => extensions), ...programExtensions]);

/** Whether a file's name says that it is of a program. */
export const isProgram = (path: string): boolean => PROGRAMS.has(/\.([\w+]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|spec|specs|testing|testdata|e2e)\//i;
const TEST_FILE = expression('')`
  (?:[._-](?:test|tests|spec|specs)\.\w+|^test_[^/]*\.py|_test\.\w+|Tests?\.(?:java|kt|cs|swift|php)|_spec\.rb|
    ^conftest\.py)$
`;
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

/** What says of which packages a project is made, and with which versions of compilers, tasks, containers and CI. */
const MANIFESTS = new Set(
  `package.json deno.json deno.jsonc .nvmrc .node-version pyproject.toml setup.py setup.cfg tox.ini requirements.txt
  .python-version .readthedocs.yml .readthedocs.yaml .pre-commit-config.yaml go.mod .go-version Cargo.toml rust-toolchain
  rust-toolchain.toml Package.swift pubspec.yaml mix.exs composer.json Gemfile .ruby-version global.json pom.xml
  Directory.Build.props Directory.Packages.props build.gradle build.gradle.kts libs.versions.toml build.sbt
  gradle-wrapper.properties CMakeLists.txt .tool-versions Dockerfile Jenkinsfile .travis.yml .gitlab-ci.yml
  azure-pipelines.yml`.split(/\s+/),
);
const MANIFEST = /\.(?:(?:cs|fs|vb)proj|gemspec|podspec)$|(?:^|\/)\.(?:circleci|github\/workflows)\/[^/]+\.ya?ml$/;

/** Whether a file declares what its project is made of: dependencies, tools, their versions. */
export const isManifest = (path: string): boolean => MANIFESTS.has(baseName(path)) || MANIFEST.test(path);

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
  if (TEST_FOLDER.test(path) || TEST_FILE.test(baseName(path))) return 'test';
  if (GENERATED.test(path)) return 'generated';
  if (TRANSLATION.test(`${folderOf(path)}/`)) return 'translation';
  return EXAMPLE_FOLDER.test(path) ? 'example' : 'source';
}
