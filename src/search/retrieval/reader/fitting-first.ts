import { standsBehind } from '../anchors.ts';
import { coverageOf } from '../features/chain-profile.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import type { Name } from '../../text/names.ts';
import { contentStems, readWords, stem } from '../../text/words.ts';
import { asksWhatHappens, tellsCondition, tellsWhatHappens } from './conditions.ts';
import {
  type AskedKind,
  askedKind,
  asksForDefault,
  givesDefault,
  holdsKind,
  isValue,
  mayLead,
  onlyPassesNumber,
  saysNumber,
} from './kind-fit.ts';
import type { ReadSentence } from './read-units.ts';
import { keyOf, stemsOfPath } from './unit-features.ts';

/** What is left of the support of a unit that cannot stand in the answer's place, where another can. */
const UNFIT_SHARE = 0.25;
/** So near to the best of its list or table, a unit is taken for the one that is asked for by its words. */
const BY_WORDS = 0.3;
/** So near to another unit's support one must be to outdo it by its words. */
const OUTDOING_SHARE = 0.2;
/** So many times nearer one of two must be to say more plainly what is asked for. */
const NEARER = 3;
/** Words from a number to what it counts: `six people`, `2 more people`. */
const BESIDE_ITS_NUMBER = 2;
/** Share of the question's words, by rarity, that are most of them. */
const MOST_WORDS = 0.6;
/** The same of all of them: a word that every file has may be missing. */
const ALL_WORDS = 0.95;

/** Also `NoFileComp`, which might be a person's name. */
const isIdentifier = ({ kind, text }: Name): boolean =>
  kind === 'identifier' || (/\p{Ll}\p{Lu}/u.test(text) && !/\s/u.test(text));

/** A unit with its probability of being what is asked for. */
export interface ScoredUnit extends ReadSentence {
  support: number;
}

/** As {@link ScoredUnit}, with whether it may stand in the answer's place. */
export interface FittedScore extends ScoredUnit {
  fits: boolean;
}

/**
 * Puts what can be the answer before what cannot: of the rows of a table and the items of a list those that share more
 * of the question's words, and units that hold the kind of thing that is asked for; the program before its tests.
 * Nothing changes where none does.
 */
export function fittingFirst(question: QuestionProfile, units: readonly ScoredUnit[]): FittedScore[] {
  const ordered = bestOfSiblings(question, units);
  const isBehind = standsBehind(question.text);
  const testsBehind = isBehind('tests/any.rs');
  const heads = headsOfLists(units);
  const judged = toldBeforeNamed(
    question,
    ordered.map((unit) => ({
      ...unit,
      // A test shows how something is used; what it is stands in the program.
      fits:
        !isBehind(unit.profile.passage.path) &&
        !(testsBehind && isInTest(unit)) &&
        fitsQuestion(question, unit, heads.has(placeOf(unit))),
    })),
  );
  const fitted = doingBeforeTelling(question, judged);
  if (!fitted.some(({ fits }) => fits)) return fitted.map((unit) => ({ ...unit, fits: true }));
  return moreOfTheQuestion(
    question,
    valueBeforeName(question, headBeforeEntries(question, fitted)).map((unit) =>
      unit.fits ? unit : { ...unit, support: unit.support * UNFIT_SHARE },
    ),
  );
}

/** `--include-deps` */
const FLAG = /(?<![\w-])--[a-z][\w-]{1,60}/giu;
/** Words in a string or a comment that people read. */
const TELLS = /["'`](?:[^"'`\n\s]{1,60}[ \t]){3}|(?:\/\/|#|\*|"""|--) ?(?:[\p{L}'’,-]{1,40}[ \t]){3}/u;

/** Of a flag that is asked for, what a program tells people of it stands before the lines that only name or pass it. */
function toldBeforeNamed(question: QuestionProfile, units: readonly FittedScore[]): FittedScore[] {
  const flags = question.text.match(FLAG);
  if (!flags) return [...units];
  const told = new Set(
    units.filter(
      ({ context, text }) => TELLS.test(text) && flags.some((flag) => `${context?.text ?? ''}\n${text}`.includes(flag)),
    ),
  );
  if (![...told].some(({ fits }) => fits)) return [...units];
  return units.map((unit) => ({ ...unit, fits: unit.fits && (!unit.profile.isCode || told.has(unit)) }));
}

/** A test that stands in the file of what it tests: `fn test_default_shell()`, `mod tests`. */
const IN_TEST = /\b(?:fn|def|func|function|void|fun) (?:[tT]est_?\w+|\w+_test)\b|\bmod tests?\b/u;

const isInTest = ({ profile, context, text }: ScoredUnit): boolean =>
  profile.isCode && IN_TEST.test(`${context?.text ?? ''} ${text.slice(0, 200)}`);

const placeOf = ({ profile, sentence }: ScoredUnit): string => `${profile.passage.id} ${sentence.end}`;

/** Ends of the lines that announce entries in view: those stand above them, as their context. */
const headsOfLists = (units: readonly ScoredUnit[]): Set<string> =>
  new Set(
    units.flatMap(({ kind, context, profile }) =>
      kind === 'item' && context?.end !== undefined ? [`${profile.passage.id} ${context.end}`] : [],
    ),
  );

/**
 * An entry of a list that says no more of the question than the line above the list is one of several that answer: that
 * line leads, and brings all of them along (`A freeze is right if all of these hold:`).
 */
function headBeforeEntries(question: QuestionProfile, units: readonly FittedScore[]): FittedScore[] {
  if (askedKind(question.text) !== undefined) return [...units];
  const heads = new Map(
    units.filter(({ fits, profile }) => fits && !profile.isCode).map((unit) => [placeOf(unit), unit]),
  );
  const worth = new Map<FittedScore, number>();
  const led = new Set<FittedScore>();
  for (const unit of units) {
    const { kind, context, profile, sentence } = unit;
    const head = context?.end === undefined ? undefined : heads.get(`${profile.passage.id} ${context.end}`);
    if (kind !== 'item' || !head || head.kind !== 'sentence') continue;
    const said = question.stems.filter((stem) => sentence.stems.has(stem));
    if (said.length === 0 || !said.every((stem) => head.sentence.stems.has(stem))) continue;
    led.add(unit);
    worth.set(head, Math.max(worth.get(head) ?? head.support, unit.support));
  }
  return settled(units, worth, led);
}

/** Units with what they count for now; those that another stands for do not fit any more. */
const settled = (
  units: readonly FittedScore[],
  worth: ReadonlyMap<FittedScore, number>,
  outdone: ReadonlySet<FittedScore>,
): FittedScore[] =>
  units.map((unit) => ({
    ...unit,
    support: worth.get(unit) ?? unit.support,
    fits: unit.fits && !outdone.has(unit),
  }));

const CONSTANTS = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/gu;
/** What stands behind the sign: `MAX_WAIT: u64 = 5;` */
const VALUE = /^[^=\n]{0,80}=\s*["'`\d[{(-]/u;

/** Asked for a default or a number, a constant that a program names there says what it is. */
function valueBeforeName(question: QuestionProfile, units: readonly FittedScore[]): FittedScore[] {
  const kind = askedKind(question.text);
  if (!asksForDefault(question.text) && kind !== 'number' && kind !== 'duration') return [...units];
  const constants = units.filter((unit) => unit.kind === 'constant' && unit.profile.isCode);
  const worth = new Map<FittedScore, number>();
  const named = new Set<FittedScore>();
  for (const unit of units) {
    if (!unit.fits || !unit.profile.isCode || unit.kind === 'constant') continue;
    for (const name of unit.text.match(CONSTANTS) ?? []) {
      const said = constants.filter(
        (one) =>
          one !== unit && one.text.includes(name) && VALUE.test(one.text.slice(one.text.indexOf(name) + name.length)),
      );
      // Several that are called so count alike: the first of them leads.
      const most = Math.max(unit.support, ...said.map((one) => worth.get(one) ?? one.support));
      for (const one of said) worth.set(one, most);
      if (said.length > 0) named.add(unit);
    }
  }
  return units.map((unit) => ({
    ...unit,
    support: worth.get(unit) ?? unit.support,
    fits: (unit.fits || worth.has(unit)) && !named.has(unit),
  }));
}

/**
 * Where a program says what happens, a text that says no more of the question, and nothing of a condition, does not.
 */
function doingBeforeTelling(question: QuestionProfile, units: readonly FittedScore[]): FittedScore[] {
  if (!asksWhatHappens(question.text)) return [...units];
  const done = units.filter(({ fits, kind, profile }) => fits && profile.isCode && kind !== 'comment');
  const most = Math.max(0, ...done.map((unit) => shareOfWords(question, unit)));
  return units.map((unit) => {
    const says = unit.profile.isCode || tellsCondition(unit.text) || shareOfWords(question, unit) > most;
    return { ...unit, fits: unit.fits && says };
  });
}

/**
 * A unit does not stand in the answer's place where another has all that it has of the question, and more of it: asked
 * for the leave of a secondary caregiver, that of a primary one. The other then counts for as much. Asked how many
 * people, a number of people outdoes any other number. It is no earlier on the trail: that begins with what the
 * question names, and the answer stands where it ends. Asked for a number of a program, what says it outdoes the call
 * that gets it.
 */
function moreOfTheQuestion(question: QuestionProfile, units: readonly FittedScore[]): FittedScore[] {
  const words = new Map(units.map((unit) => [unit, wordsAsked(question, unit)]));
  const of = (unit: FittedScore): ReadonlySet<string> => words.get(unit) ?? new Set();
  const kind = askedKind(question.text);
  // Whether a unit of a program says what a number is that the other only hands to a call.
  const saysWhatIsPassed = (unit: FittedScore, other: FittedScore): boolean =>
    (kind === 'number' || kind === 'duration') &&
    unit.profile.isCode &&
    other.profile.isCode &&
    saysNumber(unit) &&
    onlyPassesNumber(other);
  const [thing] = contentStems(question.text.replace(HOW, ' '));
  const distances = new Map(
    units.map((unit) => [unit, kind && thing !== undefined ? distanceToValue(kind, thing, unit) : undefined]),
  );
  // Whether a unit that has the same of the question says what is asked for nearer to it: `a 2-year term`.
  const saysItNearer = (unit: FittedScore, other: FittedScore): boolean =>
    of(unit).size === of(other).size && (distances.get(unit) ?? Infinity) * NEARER < (distances.get(other) ?? 0);
  const asksHowMany = HOW_MANY.test(question.text);
  // Whether a unit counts just that: `six people`, asked how many people.
  const counts = (unit: FittedScore): boolean => asksHowMany && (distances.get(unit) ?? Infinity) <= BESIDE_ITS_NUMBER;
  const outdone = new Set<FittedScore>();
  const worth = new Map(units.map((unit) => [unit, unit.support]));
  // From the best on, so that what has outdone it can outdo the next.
  for (const unit of units.filter(({ fits }) => fits).sort((a, b) => b.support - a.support)) {
    const least = OUTDOING_SHARE * unit.support;
    const own = [...of(unit)];
    const better = units.filter(
      (other) =>
        other.fits &&
        other.hop >= unit.hop &&
        (worth.get(other) ?? 0) >= least &&
        !(counts(unit) && !counts(other)) &&
        (saysWhatIsPassed(other, unit) || (counts(other) && !counts(unit))
          ? 2 * of(other).size >= own.length
          : own.every((word) => of(other).has(word)) &&
            (of(other).size > own.length || saysItNearer(other, unit)) &&
            !saysWhatIsPassed(unit, other)),
    );
    if (better.length === 0) continue;
    outdone.add(unit);
    const best = better.reduce((a, b) => (of(b).size > of(a).size ? b : a));
    worth.set(best, Math.max(worth.get(best) ?? 0, unit.support));
  }
  return settled(units, worth, outdone);
}

/**
 * Words from the number, length or date of a sentence to what the question asks it of (`term`, of “How long is a
 * term?”) or of an entry of a list; undefined where it has not both. Of tables and programs nothing is told: their
 * layout says what belongs together.
 */
function distanceToValue(asked: AskedKind, thing: string, { kind, text, profile }: ScoredUnit): number | undefined {
  if ((kind !== 'sentence' && kind !== 'item') || profile.isCode) return undefined;
  const words = readWords(text);
  const places = words.flatMap((word, i) => (stem(word.text) === thing ? [i] : []));
  const gaps = words.flatMap((word, i) => (isValue(asked, word.text) ? places.map((at) => Math.abs(at - i)) : []));
  return gaps.length === 0 ? undefined : Math.min(...gaps);
}

/**
 * The question's words that a unit has, what stands above it and its passage's title included, and of a program its
 * path: `file/options.go` has the options of the file picker. An identifier counts whole, as others may share its
 * parts.
 */
function wordsAsked(question: QuestionProfile, { context, profile, sentence, text }: ScoredUnit): Set<string> {
  const above = new Set(context ? contentStems(context.text) : []);
  const around = profile.isCode ? stemsOfPath(profile) : new Set();
  const said = `${context?.text ?? ''}\n${text}`;
  return new Set([
    ...question.stems.filter(
      (stem) => sentence.stems.has(stem) || above.has(stem) || profile.titleStems.has(stem) || around.has(stem),
    ),
    ...question.names.filter((name) => isIdentifier(name) && said.includes(name.text)).map((name) => name.text),
  ]);
}

/**
 * Whether any unit holds the kind of thing that is asked for; true where the question names none, and where it asks
 * whom to turn to, which may be anybody.
 */
export function holdsAskedKind(question: QuestionProfile, units: readonly ReadSentence[]): boolean {
  const asked = askedKind(question.text);
  return (
    asked === undefined ||
    asked === 'contact' ||
    units.some(({ kind, context, text, profile }) =>
      holdsKind(asked, `${context?.text ?? ''}\n${text}`, profile.isCode, kind),
    )
  );
}

const HOW_MANY = /\bhow many\b/iu;
const HOW = /\bhow (?:long|many|much|often|old|soon|large|big|tall|high|far|fast|frequently|regularly)\b/iu;

/** Whether a passage has a word of what is measured, beside those of `how long`; true where the question is no such. */
export function speaksOfCounted(question: QuestionProfile, passages: readonly PassageProfile[]): boolean {
  const counted = HOW.test(question.text) ? contentStems(question.text.replace(HOW, ' ')) : [];
  return (
    counted.length === 0 ||
    passages.some(({ passage, titleStems, sentences }) => {
      const inPath = contentStems(passage.path);
      const has = (stem: string): boolean => titleStems.has(stem) || sentences.some(({ stems }) => stems.has(stem));
      return counted.some((stem) => inPath.includes(stem) || has(stem));
    })
  );
}

/**
 * Whether a unit shows what is asked for: it holds the kind of thing that the question names, and most of the
 * question's words.
 */
export function showsAnswer(question: QuestionProfile, unit: FittedScore): boolean {
  return unit.fits && askedKind(question.text) !== undefined && shareOfWords(question, unit) >= MOST_WORDS;
}

/**
 * Whether a unit leaves nothing of the question for a further hop: it shows what is asked for, a default with most of
 * its words, or has all words.
 */
export const isWhole = (question: QuestionProfile, unit: FittedScore): boolean =>
  showsAnswer(question, unit) ||
  (unit.fits &&
    shareOfWords(question, unit) >= (asksForDefault(question.text) && saysValue(unit) ? MOST_WORDS : ALL_WORDS));

/** Whether a unit of a program gives a name its value. */
const saysValue = ({ kind, text, profile }: FittedScore): boolean =>
  profile.isCode && kind === 'constant' && VALUE.test(text);

function shareOfWords(question: QuestionProfile, unit: ScoredUnit): number {
  const words = wordsAsked(question, unit);
  return coverageOf(question, (stem) => words.has(stem));
}

function fitsQuestion(
  question: QuestionProfile,
  { kind, text, context, profile, sentence }: ScoredUnit,
  headsList: boolean,
): boolean {
  if (saysNothingNew(question, kind, text, profile.isCode)) return false;
  const above = new Set(context ? contentStems(context.text) : []);
  const covered = coverageOf(question, (stem) => sentence.stems.has(stem) || above.has(stem));
  const { isCode } = profile;
  if (isCode && asksWhatHappens(question.text) && !tellsWhatHappens(kind, text, context?.text ?? '')) return false;
  const said = isCode && givesDefault(text) ? 'default' : kind;
  return mayLead(question, { kind: said, text: `${context?.text ?? ''}\n${text}`, isCode, covered, headsList });
}

/**
 * Whether a field gives back what the question names (`name: Joren Vask`, asked for his extension), or a line of a
 * program is no more than that: `"--include-deps"`, asked what it does.
 */
function saysNothingNew(question: QuestionProfile, kind: ScoredUnit['kind'], text: string, isCode: boolean): boolean {
  const key = kind === 'field' ? keyOf(kind, text) : undefined;
  if (key === undefined && !(isCode && kind === 'statement')) return false;
  const value = contentStems(text.slice(key?.length ?? 0));
  return value.length > 0 && value.every((stem) => question.stems.includes(stem));
}

const SIBLINGS: ReadonlySet<string> = new Set(['row', 'item', 'field', 'default']);

/**
 * Within one table or list the best support goes to what shares most of the question's words, those of its label before
 * all: a row, a field or a default says in it what it is about.
 */
function bestOfSiblings(question: QuestionProfile, units: readonly ScoredUnit[]): ScoredUnit[] {
  const lists = new Map<string, ScoredUnit[]>();
  for (const unit of units) {
    if (!SIBLINGS.has(unit.kind)) continue;
    const key = JSON.stringify([unit.profile.passage.id, unit.kind, unit.context?.text ?? '']);
    lists.set(key, [...(lists.get(key) ?? []), unit]);
  }
  const supports = new Map<ScoredUnit, number>();
  for (const list of lists.values()) {
    const worth = new Map(list.map((unit) => [unit, sharedWords(question, unit)]));
    const best = list.reduce((a, b) => (b.support > a.support ? b : a));
    const named = list.reduce((a, b) => ((worth.get(b) ?? 0) > (worth.get(a) ?? 0) ? b : a));
    if ((worth.get(named) ?? 0) <= (worth.get(best) ?? 0) || named.support < BY_WORDS * best.support) continue;
    supports.set(named, best.support);
    supports.set(best, named.support);
  }
  return units.map((unit) => ({ ...unit, support: supports.get(unit) ?? unit.support }));
}

/** Share of the question's words, by rarity, in a unit's label and in its text; a label counts for as much as all. */
function sharedWords(question: QuestionProfile, { kind, text, sentence }: ScoredUnit): number {
  const key = keyOf(kind, text);
  const label = new Set(key === undefined ? [] : contentStems(key));
  const inText = coverageOf(question, (stem) => sentence.stems.has(stem));
  const inLabel = coverageOf(question, (stem) => label.has(stem));
  // A field is about its key; what stands behind that answers, or belongs to another question.
  return kind === 'field' || kind === 'default' ? inLabel : inLabel + inText;
}
