import { expression, remembered } from '#base';
import { standsBehind } from '../anchors.ts';
import { coverageOf } from '../features/chain-profile.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import type { Name } from '../../text/names.ts';
import { contentStems } from '../../text/words.ts';
import { leftBehind } from './alike-units.ts';
import { asksWhatHappens, tellsWhatHappens } from './conditions.ts';
import { definitionsOf, explainedName } from './definitions.ts';
import { holdsExactly } from './exact-kinds.ts';
import { versionedThing } from './asked-kind.ts';
import { askedOf, holdsAsked } from './asked-question.ts';
import { givesDefault, saysValue } from './kind-fit.ts';
import { mayLead } from './may-lead.ts';
import type { ReadSentence } from './read-units.ts';
import { keyOf, stemsAbove, stemsOfPath } from './unit-features.ts';

/** What is left of the support of a unit that cannot stand in the answer's place, where another can. */
const UNFIT_SHARE = 0.25;
/** Share of the question's words, by rarity, that are most of them. */
const MOST_WORDS = 0.6;

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
 * Puts what can be the answer before what cannot: units that hold the kind of thing that is asked for before others, a
 * program before its tests, what says what a name is before what uses it. Where none can, what is about something else
 * stands behind.
 */
export function fittingFirst(question: QuestionProfile, units: readonly ScoredUnit[]): readonly FittedScore[] {
  const isBehind = standsBehind(question.text);
  const testsBehind = isBehind('tests/any.rs');
  const heads = headsOfLists(units);
  const name = explainedName(question.text);
  const defines = name === undefined ? undefined : definitionsOf(name, units);
  const others = leftBehind(question, units);
  // Of what is named by its name a passage without a word of the question says nothing.
  const isNamed = question.names.some(
    ({ kind, key }) => kind !== 'number' && units.some(({ profile }) => profile.form.includes(` ${key} `)),
  );
  const speaking = new Map<PassageProfile, boolean>();
  const isAbout = (unit: ScoredUnit): boolean =>
    !others.has(unit) &&
    (!isNamed || remembered(speaking, unit.profile, () => speaksOfCounted(question, [unit.profile])));
  const fitted = units.map((unit) => ({
    ...unit,
    // A test shows how something is used; what it is stands in the program.
    fits:
      isAbout(unit) &&
      !isBehind(unit.profile.passage.path) &&
      !(testsBehind && isInTest(unit)) &&
      (!defines?.size || !unit.profile.isCode || defines.has(unit)) &&
      fitsQuestion(question, unit, heads.has(placeOf(unit))),
  }));
  if (!fitted.some(({ fits }) => fits)) {
    const someAre = units.some(isAbout);
    return unfitBehind(units.map((unit) => ({ ...unit, fits: !someAre || isAbout(unit) })));
  }
  return reasonFirst(question, unfitBehind(ofThingAsked(question, fitted)));
}

const unfitBehind = (units: readonly FittedScore[]): FittedScore[] =>
  units.map((unit) => (unit.fits ? unit : { ...unit, support: unit.support * UNFIT_SHARE }));

/** Asks for a reason. */
const ASKS_REASON =
  /^\s*(?:and |so |but )?why\b|\bhow come\b|\b(?:what|which)(?:'s| is| was| are)? (?:the )?reasons?\b|,\s*why\b/iu;
/** Gives one, or says what comes of something. */
const TELLS_REASON = expression('iu')`
  \b(?:because|so that|so as to|due to|owing to|thanks to|in order to|in order that|otherwise|therefore|hence|thus|
    without (?:this|that|it|doing)|reasons?|as a result|
    to (?:avoid|prevent|ensure|make sure|keep|allow|reduce|protect|help|save|let|guarantee|minimi[sz]e|encourage|
      give|enable|improve|remain|stay|comply)|
    (?:this|that|it|which) (?:also )?(?:ensures?|allows?|avoids?|prevents?|makes?|gives?|lets?|keeps?|means?|helps?|
      reduces?|causes?)|ensur(?:es|ing)|prevent(?:s|ing)|avoid(?:s|ing)|allow(?:s|ing)|causes?|lead(?:s|ing) to|
    results? in|rather than|instead of)\b
`;

/** Not `since 2021`, nor `Since March`. */
const SINCE = /\b[Ss]ince(?! (?:\p{N}|\p{Lu}|then\b))/u;

/** Whether a text gives a reason for something. */
const tellsReason = (text: string): boolean => TELLS_REASON.test(text) || SINCE.test(text);

/** Where the reason stands from the line that it is of: behind it, or before. */
const REASON_AT = [1, 2, -1];
/** A reason elsewhere leads with so much of the support of the line that gives none. */
const NEARLY = 0.9;

/**
 * `Why are large changes merged late?`: the reason stands beside the sentence that says that they are, or in a unit
 * that is almost as sure. Entries of a list do not explain one another.
 */
function reasonFirst(question: QuestionProfile, units: readonly FittedScore[]): readonly FittedScore[] {
  if (!ASKS_REASON.test(question.text)) return units;
  const top = best(units, ({ fits }) => fits);
  const what = units[top];
  if (!what || what.kind === 'item' || tellsReason(what.text)) return units;
  const isReason = (unit: FittedScore | undefined): boolean =>
    unit !== undefined &&
    unit.fits &&
    unit.kind !== 'item' &&
    // A name says nothing of why: `const reason = …`.
    (!unit.profile.isCode || unit.kind === 'comment') &&
    tellsReason(unit.text);
  const beside = (unit: FittedScore | undefined): boolean =>
    isReason(unit) && unit?.kind === 'sentence' && unit.profile === what.profile;
  const near =
    what.kind === 'sentence' && !what.profile.isCode
      ? REASON_AT.map((step) => units[top + step]).find((unit) => beside(unit))
      : undefined;
  const reason = near ?? units[best(units, (unit) => isReason(unit) && unit.support >= what.support * NEARLY)];
  return units.map((unit) => (unit === reason ? { ...unit, support: what.support + 1e-6 } : unit));
}

/** Where the unit with most support stands of those that may; -1 where none may. */
const best = (units: readonly FittedScore[], may: (unit: FittedScore) => boolean): number =>
  units.reduce((found, unit, i) => (may(unit) && unit.support > (units[found]?.support ?? 0) ? i : found), -1);

/** `Which clap version does it need?`: a line with another version does not fit where one names clap. */
function ofThingAsked(question: QuestionProfile, units: readonly FittedScore[]): readonly FittedScore[] {
  const thing = versionedThing(question.text);
  const names = ({ context, profile, sentence }: FittedScore): boolean => {
    const above = stemsAbove(context);
    return thing.some((stem) => sentence.stems.has(stem) || above.has(stem) || profile.titleStems.has(stem));
  };
  if (thing.length === 0 || !units.some((unit) => unit.fits && names(unit))) return units;
  return units.map((unit) => ({ ...unit, fits: unit.fits && names(unit) }));
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
 * The question's words that a unit has, what stands above it and its passage's title included, and of a program its
 * path: `file/options.go` has the options of the file picker. An identifier counts whole, as others may share its
 * parts.
 */
function wordsAsked(question: QuestionProfile, { context, profile, sentence, text }: ScoredUnit): Set<string> {
  const above = stemsAbove(context);
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
  const asked = askedOf(question.text);
  return (
    asked.kind === undefined ||
    asked.kind === 'contact' ||
    units.some(({ kind, context, text, profile: { isCode } }) => {
      const said = `${context?.text ?? ''}\n${text}`;
      return holdsAsked(asked, said, isCode, kind) && holdsExactly(asked.exact, said, saysValue(isCode, kind));
    })
  );
}

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
  return unit.fits && askedOf(question.text).kind !== undefined && shareOfWords(question, unit) >= MOST_WORDS;
}

function shareOfWords(question: QuestionProfile, unit: ScoredUnit): number {
  const words = wordsAsked(question, unit);
  return coverageOf(question, (stem) => words.has(stem));
}

/** A paragraph in bold is a heading, unless it is a sentence: `**Election schedule, version 2**`. */
const ONLY_BOLD = /^(?<mark>\*\*|__)(?!\s)[^*_\n]{1,120}[^*_\n.!?]\k<mark>:?$/u;

function fitsQuestion(
  question: QuestionProfile,
  { kind, text, context, profile, sentence }: ScoredUnit,
  headsList: boolean,
): boolean {
  if (saysNothingNew(question, kind, text, profile.isCode)) return false;
  if (kind === 'sentence' && !profile.isCode && ONLY_BOLD.test(text)) return false;
  const above = stemsAbove(context);
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
