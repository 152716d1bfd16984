import { standsBehind } from '../anchors.ts';
import { coverageOf } from '../features/chain-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { contentStems } from '../text/words.ts';
import { mayLead } from './kind-fit.ts';
import type { ReadSentence } from './reader-features.ts';
import { keyOf } from './unit-features.ts';

/** What is left of the support of a unit that cannot stand in the answer's place, where another can. */
const UNFIT_SHARE = 0.25;
/** So near to the best of its list or table, a unit is taken for the one that is asked for by its words. */
const BY_WORDS = 0.3;

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
  const fitted = ordered.map((unit) => ({
    ...unit,
    // A test shows how something is used; what it is stands in the program.
    fits: !isBehind(unit.profile.passage.path) && fitsQuestion(question, unit),
  }));
  if (!fitted.some(({ fits }) => fits)) return fitted.map((unit) => ({ ...unit, fits: true }));
  return fitted.map((unit) => (unit.fits ? unit : { ...unit, support: unit.support * UNFIT_SHARE }));
}

function fitsQuestion(question: QuestionProfile, { kind, text, context, profile, sentence }: ScoredUnit): boolean {
  if (saysNothingNew(question, kind, text)) return false;
  const above = new Set(context ? contentStems(context.text) : []);
  const covered = coverageOf(question, (stem) => sentence.stems.has(stem) || above.has(stem));
  return mayLead(question, { kind, text: `${context?.text ?? ''}\n${text}`, isCode: profile.isCode, covered });
}

/** Whether a field gives back what the question names: `name: Joren Vask`, asked for his extension. */
function saysNothingNew(question: QuestionProfile, kind: ScoredUnit['kind'], text: string): boolean {
  const key = kind === 'field' ? keyOf(kind, text) : undefined;
  if (key === undefined) return false;
  const value = contentStems(text.slice(key.length));
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
