import { baseName } from '#base';
import type { PassageFilter } from '../domain/passage-chain.ts';
import { liesIn } from '../domain/path-filter.ts';
import { type FileRole, isProgram, roleOf } from '../references/modules.ts';
import type { ReferenceGraph } from '../references/reference-graph.ts';
import type { RankedPassage } from '../store/passage-index.ts';
import { readNames } from '../text/names.ts';
import { contentStems } from '../text/words.ts';

/** A name with more definitions or uses than this singles out no passage. */
const MOST_PLACES = 12;
const QUOTED = /`([^`\n]{2,160})`|"([^"\n]{2,160})"|“([^”\n]{2,160})”|'([^'\n]{2,160})'/g;
/** Words that look like a class's or a constant's name; whether they are one, the program tells. */
const CAPITALISED = /\b[A-Z][A-Za-z0-9_]{2,}\b/g;

/** Words of a question that may stand exactly so in a program: identifiers, literals, file names. */
export function anchorsOf(question: string): string[] {
  const anchors = new Set<string>();
  for (const match of question.matchAll(QUOTED)) anchors.add(match.slice(1).find((part) => part !== undefined) ?? '');
  for (const { kind, text } of readNames(question)) if (kind === 'identifier' || kind === 'path') anchors.add(text);
  for (const [word] of question.matchAll(CAPITALISED)) anchors.add(word);
  return [...anchors].filter((anchor) => anchor !== '').slice(0, 24);
}

/**
 * Passages that the exact words of a question single out in a program: what defines an identifier, where a literal is
 * used or thrown, what a file of that name holds. The fewer places a word has where is searched, the more each counts.
 * Whether they have vectors the graph does not know: the other lists tell.
 */
export function anchorList(
  graph: ReferenceGraph,
  anchors: readonly string[],
  filter: PassageFilter | undefined,
  limit: number,
): RankedPassage[] {
  const scores = new Map<string, { score: number; path: string }>();
  const add = (places: readonly { passageId: string; path: string }[]): void => {
    const allowed = places.filter(({ passageId, path }) => isAllowed(passageId, path, filter));
    const distinct = new Map(allowed.map((place) => [place.passageId, place.path]));
    if (distinct.size > MOST_PLACES) return;
    for (const [id, path] of distinct)
      scores.set(id, { path, score: (scores.get(id)?.score ?? 0) + 1 / Math.log2(1 + distinct.size) });
  };
  for (const anchor of anchors) {
    add(graph.definitionsOf(anchor).map(({ passageId, file }) => ({ passageId, path: file.path })));
    add(graph.keyUses(anchor).map(({ passageId, file }) => ({ passageId, path: file.path })));
    add(graph.headOfFile(anchor));
  }
  return [...scores]
    .sort((a, b) => b[1].score - a[1].score || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([id, { score, path }]) => ({ passage: { id, embedded: false, path }, score }));
}

/** Only what can be told from path and id: with other restrictions nothing is anchored. */
function isAllowed(id: string, path: string, filter: PassageFilter | undefined): boolean {
  const { paths, ids, excludeIds, ...others } = filter ?? {};
  if (Object.values(others).some((value) => value !== undefined)) return false;
  return liesIn(path, paths) && (ids === undefined || ids.includes(id)) && !excludeIds?.includes(id);
}

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
