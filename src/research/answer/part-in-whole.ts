import {
  contentStems,
  type HopReasonKind,
  type Passage,
  type PassageChain,
  type Reading,
  type ReadUnit,
} from '#search';
import type { QuestionPart } from './question-parts.ts';

/** A part of a question that was looked up before the one that is read. */
export interface PartBefore {
  question: string;
  chain: PassageChain;
}

/** What stands before a part in its question, and what was found with the part. */
export interface PartSurroundings {
  before: readonly PartBefore[];
  /** Chains of what was looked up for the part: its own, and the whole question's where it leans on that. */
  chains: readonly PassageChain[];
  /** Everything that was read. */
  passages: readonly Passage[];
}

/**
 * So much of what other passages have of the part's words, those of the part before must have to be preferred: what
 * stands alone may be about another thing, a pronoun never is.
 */
const LEAST_SHARE = { alone: 1, perhaps: 0.5, wholly: 0 } as const;
/** What is left of the score of a unit whose passage has no word of what the part before asks. */
const OTHER_SUBJECT = 0.2;
/**
 * What a unit gains that has all words of what the part before asks, beside the most of the part's own: of two alike it
 * is meant.
 */
const OWN_SUBJECT = 0.5;
/** What a program does beyond a bound is what it throws. */
const ASKS_WHAT_HAPPENS = /\bwhat (?:happens|happened|occurs|will happen|would happen)\b/iu;
/** Hops that lead on from what a passage itself points at. */
const LEADS_ON: ReadonlySet<HopReasonKind> = new Set(['link', 'backlink', 'title']);

/**
 * What was read for a part, with units first that are of the subject of the parts before it: in passages of their
 * chains and those that these link to; elsewhere by the words of the earlier parts that a passage has. Undefined where
 * nothing changes: where such passages have less of the part's own words than others, it asks about another thing.
 */
export function inSubject(
  reading: Reading,
  part: QuestionPart,
  { before, chains, passages }: PartSurroundings,
): Reading | undefined {
  const subject = subjectPassages(before, chains);
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const asked = new Set(contentStems(part.question));
  const able = reading.sentences.filter(({ fits }) => fits !== false);
  const shared = (unit: ReadUnit): number => sharedWords(asked, wordsOfUnit(unit, byId.get(unit.passageId)));
  const most = (units: readonly ReadUnit[]): number => Math.max(0, ...units.map(shared));
  const inside = able.filter(({ passageId }) => subject.has(passageId));
  const share = LEAST_SHARE[part.leans ?? 'alone'];
  const own = most(inside);
  const least = share * most(able.filter(({ passageId }) => !subject.has(passageId)));
  if (inside.length === 0 || own < least || (own === 0 && share > 0)) return undefined;
  const topic = new Set(before.flatMap(({ question }) => contentStems(question)));
  const weights = new Map(
    passages.map((passage) => [passage.id, subject.has(passage.id) ? 1 : weightOf(topic, passage)]),
  );
  const weighed = reading.sentences.map((unit) => ({
    ...unit,
    score:
      unit.score *
      (weights.get(unit.passageId) ?? OTHER_SUBJECT) *
      (part.leans && own > 0 && shared(unit) >= own ? gainOf(topic, unit) : 1),
  }));
  const best = Math.max(0, ...weighed.map(({ score }) => score));
  const asksWhatHappens = part.leans !== undefined && ASKS_WHAT_HAPPENS.test(part.question);
  const sentences = weighed
    .map((unit) =>
      asksWhatHappens && isThrown(topic, subject, unit) ? { ...unit, score: best + unit.score, fits: true } : unit,
    )
    .sort((a, b) => b.score - a.score);
  return { ...reading, sentences };
}

/** Ids of the passages of earlier chains, and of those to which a hop leads on from one of them. */
function subjectPassages(before: readonly PartBefore[], chains: readonly PassageChain[]): Set<string> {
  const ids = new Set(before.flatMap(({ chain }) => chain.hops.map(({ passage }) => passage.id)));
  for (const { hops } of chains)
    for (const { passage, why } of hops) {
      const from = why.from === undefined ? undefined : hops[why.from]?.passage.id;
      if (from !== undefined && LEADS_ON.has(why.kind) && ids.has(from)) ids.add(passage.id);
    }
  return ids;
}

const wordsOfUnit = (unit: ReadUnit, passage: Passage | undefined): string[] =>
  contentStems([unit.text, unit.context?.text, passage?.title].filter(Boolean).join('\n'));

const sharedWords = (asked: ReadonlySet<string>, said: readonly string[]): number =>
  [...new Set(said)].filter((stem) => asked.has(stem)).length;

const gainOf = (topic: ReadonlySet<string>, unit: ReadUnit): number =>
  1 + (OWN_SUBJECT * sharedWords(topic, wordsOfUnit(unit, undefined))) / Math.max(1, topic.size);

const isThrown = (topic: ReadonlySet<string>, subject: ReadonlySet<string>, unit: ReadUnit): boolean =>
  unit.kind === 'error' && subject.has(unit.passageId) && sharedWords(topic, wordsOfUnit(unit, undefined)) > 0;

function weightOf(topic: ReadonlySet<string>, { path, title, text }: Passage): number {
  const shared = sharedWords(topic, contentStems([path, title, text].join('\n')));
  return OTHER_SUBJECT + (1 - OTHER_SUBJECT) * (shared / Math.max(1, topic.size));
}
