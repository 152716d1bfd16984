import { baseName, expression, folderOf } from '#base';
import { codeLanguages } from './code/code-languages.ts';
import { programExtensions } from './formats/parse-text-blocks.ts';

const WITH_GRAMMAR = new Set(codeLanguages.flatMap(({ extensions }) => extensions));
const PROGRAMS = new Set([...WITH_GRAMMAR, ...programExtensions]);
const extensionOf = (path: string): string => /\.([\w+]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** Whether a file's name says that it is of a program. */
export const isProgram = (path: string): boolean => PROGRAMS.has(extensionOf(path));

/** Whether it is of a program that no grammar here reads. */
export const isWithoutGrammar = (path: string): boolean => isProgram(path) && !WITH_GRAMMAR.has(extensionOf(path));

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
