import { baseName } from '#base';
import { type FileRole, isProgram, roleOf } from '../reading/file-role.ts';
import { contentStems } from '../text/words.ts';

/** How much a passage of a file of each role counts beside one of the program itself. */
const BEHIND = 0.6;
/** Words by which a question means files of a role, as such files and folders are called. */
const ROLE_WORDS: Readonly<Record<Exclude<FileRole, 'source'>, string>> = {
  test: 'test spec fixture mock coverage',
  example: 'example sample demo tutorial benchmark docs documentation',
  translation: 'translation locale language l10n i18n',
  generated: 'generated generator vendor migration',
  history: 'change changelog history news release version upgrade migration',
  licence: 'licence license copyright notice patent',
  credits: 'author contributor credits',
  'tools-own': 'xcode solution project scheme',
  completion: 'completion shell bash zsh fish',
};
const ROLE_STEMS = Object.entries(ROLE_WORDS).map(
  ([role, words]) => [role as FileRole, new Set(contentStems(words))] as const,
);
/** Of these, what is no program stands behind too. */
const ALWAYS_BEHIND: ReadonlySet<FileRole> = new Set(['completion', 'history', 'licence', 'credits', 'tools-own']);

/**
 * Whether a file stands behind a program's sources: tests, examples, translations, generated files, completions for
 * shells, changelogs, licences, lists of authors, what tools keep for themselves. A role that the question names by a
 * word of its own does not. Other files never do.
 * @param stems Content stems of the question.
 */
export function standsBehind(stems: readonly string[]): (path: string) => boolean {
  const asked = new Set<FileRole>(['source']);
  for (const [role, words] of ROLE_STEMS) if (stems.some((stem) => words.has(stem))) asked.add(role);
  return (path) => {
    const role = roleOf(path);
    // Tests of a shell are mostly called by no ending.
    const isScript = role === 'test' && !baseName(path).includes('.');
    return !asked.has(role) && (isProgram(path) || isScript || ALWAYS_BEHIND.has(role));
  };
}

/** What a file's passages count in ranked lists: less where the file stands behind. */
export function weightByRole(stems: readonly string[]): (path: string | undefined) => number {
  const isBehind = standsBehind(stems);
  return (path) => (path !== undefined && isBehind(path) ? BEHIND : 1);
}

/** What stands behind needs so much more of a head's logit to come first in a trail. */
const HANDICAP = -1;

/** As {@link weightByRole}, for logits: what is added to that of a passage. */
export function handicapByRole(stems: readonly string[]): (path: string) => number {
  const isBehind = standsBehind(stems);
  return (path) => (isBehind(path) ? HANDICAP : 0);
}
