import { baseName, expression } from '#base';
import type { PassageFilter } from '../domain/passage-chain.ts';
import { liesIn } from '../domain/path-filter.ts';
import { type FileRole, isManifest, isProgram, roleOf } from '../references/modules.ts';
import type { ReferenceGraph } from '../references/reference-graph.ts';
import type { RankedPassage } from '../store/passage-index.ts';
import { readNames } from '../text/names.ts';

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
  question: string,
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
  for (const anchor of anchorsOf(question)) {
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
const ASKED_FOR: Readonly<Record<Exclude<FileRole, 'source'>, RegExp>> = {
  test: /\b(?:tests?|tested|testing|specs?|covers?|covered|coverage|fixtures?|mock(?:s|ed)?|assert\w*)\b/i,
  example: /\b(?:examples?|samples?|demos?|tutorials?|benchmarks?|fixtures?|docs?|documentation)\b/i,
  translation: /\b(?:translat\w+|locales?|languages?|l10n|i18n|localis\w+|localiz\w+)\b/i,
  generated: /\b(?:generated?|generator|vendor\w*|migrations?|third.party)\b/i,
  history: expression('i')`
    ^\W*when\b|\b(?:chang\w+|versions?|releas\w+|since|histor\w+|add(?:s|ed)?|remov\w+|fix(?:es|ed)?|deprecat\w+|
      introduc\w+|renam\w+|breaking|news?|dropp?\w*|upgrad\w+|migrat\w+|no longer|support\w*)\b
  `,
  licence: expression('i')`
    \b(?:(?:un|sub)?licen[cs]\w*|copyright\w*|copying|copyleft|legal\w*|patents?|warrant\w*|liab\w*|trademarks?|
      redistribut\w*|attribution|notices?|permi(?:ssion|tted)s?|terms|mit|apache|bsd|[al]?gpl|mpl|cc0|commercial\w*|
      sell|owns?|holders?|open.?source|closed.?source|proprietary|modif\w*|allowed|reus\w*)\b
  `,
  credits: /\b(?:authors?|contribut\w+|credits?|thank\w*|wr(?:ite|ote|itten)|who|whose|e-?mails?|address\w*)\b/i,
  'tools-own': /\b(?:xcode|xib|storyboards?|visual studio|solutions?|projects?|schemes?|targets?|configurations?)\b/i,
  completion: /\b(?:complet(?:e|es|ions?)|(?:ba|z)?sh|shells?|fish|tab)\b/i,
};
/** Of these, what is no program stands behind too. */
const ALWAYS_BEHIND: ReadonlySet<FileRole> = new Set(['completion', 'history', 'licence', 'credits', 'tools-own']);

/**
 * Whether a file stands behind a program's sources: its tests, examples, translations, generated files, completions
 * for shells, what was changed when, licences, lists of authors and what tools keep for themselves do, unless the
 * question is about them. Other files never do.
 */
export function standsBehind(question: string): (path: string) => boolean {
  const asked = new Set<FileRole>(['source']);
  for (const [role, words] of Object.entries(ASKED_FOR)) if (words.test(question)) asked.add(role as FileRole);
  return (path) => {
    const role = roleOf(path);
    // Tests of a shell are mostly called by no ending.
    const isScript = role === 'test' && !baseName(path).includes('.');
    return !asked.has(role) && (isProgram(path) || isScript || ALWAYS_BEHIND.has(role));
  };
}

/**
 * A list of dependencies is about nothing in particular, so that its vector is far from every question; of those that
 * ask for a version of something it counts this much.
 */
const AHEAD = 1.6;
const ASKS_FOR_TOOLS = expression('i')`
  \b(?:versions?|(?:we|you|i|to) pin|pins|pinned|depend(?:s|ency|encies)?|installed|
    (?:built?|builds|compile[ds]?) with|toolchain|sdk)\b
`;

/** What files count: less by {@link standsBehind}; more where a project says which versions of what it is made with. */
export function weightByRole(question: string): (path: string | undefined) => number {
  const isBehind = standsBehind(question);
  const asksForTools = ASKS_FOR_TOOLS.test(question);
  return (path) => {
    if (path === undefined) return 1;
    if (isBehind(path)) return BEHIND;
    return asksForTools && isManifest(path) ? AHEAD : 1;
  };
}

/** What stands behind needs so much more of a head's logit to come first in a trail. */
const HANDICAP = -1;

/** As {@link weightByRole}, for logits: what is added to that of a passage. */
export function handicapByRole(question: string): (path: string) => number {
  const isBehind = standsBehind(question);
  return (path) => (isBehind(path) ? HANDICAP : 0);
}
