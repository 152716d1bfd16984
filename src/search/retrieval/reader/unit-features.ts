import { cosine, remembered, expression } from '#base';
import type { UnitKind } from '../../domain/unit.ts';
import { standsBehind } from '../anchors.ts';
import { coverageOf } from '../features/chain-profile.ts';
import { FeatureTable } from '../features/feature-table.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { expectedAnswer, type ExpectedAnswer } from '../expected-answer.ts';
import { nameForm, readNames } from '../../text/names.ts';
import { contentStems } from '../../text/words.ts';
import { ASKED_KINDS } from './asked-kind.ts';
import { askedOf, holdsAsked } from './asked-question.ts';
import { mayLead } from './may-lead.ts';
import { SPAN_OF_TIME } from './number-words.ts';
import type { ReadSentence } from './read-units.ts';

/** Kinds that the chooser tells apart: what is alike to a reader is one. */
const GROUPS: Readonly<Record<UnitKind, string>> = {
  sentence: 'sentence',
  item: 'item',
  row: 'row',
  field: 'field',
  statement: 'statement',
  signature: 'signature',
  constant: 'value',
  default: 'value',
  error: 'error',
  comment: 'comment',
  import: 'import',
};

const NUMBER = /\p{N}/u;
const DATE = expression('')`
  \b(?:19|20)\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)
  [a-z]{0,6}\.?\s+\d{1,2}\b|\b\d{1,2}\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)
`;
const QUOTED = /["'`][^"'`\n]{2,}["'`]/;
/** What is asked in other ways than by {@link QuestionProfile.cues}. */
const ASKS: Readonly<Record<string, RegExp>> = {
  how: /\bhow (?:do|does|can|could|should|would|to|is|are)\b/i,
  why: /\bwhy\b/i,
  happens: /\bwhat happens\b/i,
};
/** How rules, duties and conditions are said. */
const RULES =
  /\b(?:must|should|may|can|need|required?|have to|only|never|always|please|if|when|unless|because|since|so that)\b/i;
/** Of what the joint encoder did not read. */
const UNREAD = { span: -25, supported: -12, support: -12, enough: -12, leadsOn: -12 };

/**
 * A share of units that are no sentences from which on what was read is no prose: notes with tables and lists, code.
 */
const STRUCTURED = 0.15;

/** Whether what was read is prose from end to end. */
export const isProse = (units: readonly Pick<ReadSentence, 'kind'>[]): boolean =>
  units.filter(({ kind }) => kind !== 'sentence').length <= STRUCTURED * units.length;

/** What is shown before a unit and the unit itself: what is compared with the question. */
export const unitInContext = ({ text, context }: Pick<ReadSentence, 'text' | 'context'>): string =>
  context ? `${context.text}: ${text}` : text;

const inPaths = new WeakMap<PassageProfile, ReadonlySet<string>>();

/** Stems of what stands above a unit. */
export const stemsAbove = (context: ReadSentence['context']): ReadonlySet<string> =>
  new Set(context ? contentStems(context.text) : []);

/** Stems of the words of a passage's path without its ending. */
export const stemsOfPath = (profile: PassageProfile): ReadonlySet<string> =>
  remembered(inPaths, profile, () => new Set(contentStems(profile.passage.path.replace(/\.[^./]+$/, ''))));

/**
 * What tells whether a unit is what a question asks for. Units of all passages that were looked at are rivals, those of
 * the chain come first. No feature is a word or a place of one corpus.
 * @param chain So many of the passages are the chain's.
 */
export function unitFeatures(question: QuestionProfile, units: readonly ReadSentence[], chain: number): FeatureTable {
  const table = new FeatureTable(units.length);
  const expected = expectedAnswer(question);
  const asked = new Set(question.stems);
  const titles = new Map<object, ReadonlySet<string>>();
  const isBehind = standsBehind(question.text);
  const askedFor = askedOf(question.text);
  const rarest = question.stems.reduce<string | undefined>(
    (best, stem) => (best === undefined || (question.idf.get(stem) ?? 0) > (question.idf.get(best) ?? 0) ? stem : best),
    undefined,
  );
  const covered = units.map(({ sentence }) => coverageOf(question, (stem) => sentence.stems.has(stem)));
  /** What the unit beside it has of the question; 0 where none stands there. */
  const coveredBeside = (row: number, by: -1 | 1): number =>
    units[row + by]?.profile === units[row]?.profile ? (covered[row + by] ?? 0) : 0;
  const isRead = units.some(({ encoded }) => encoded);
  units.forEach((unit, row) => {
    const { profile, hop, index, of, sentence, context, vector, kind, text } = unit;
    const { passage } = profile;
    const title = remembered(titles, profile, () => new Set([...profile.titleStems, ...stemsOfPath(profile)]));
    const above = stemsAbove(context);
    const own = sentence.stems;
    const names = readNames(text).filter(
      ({ key }) => !question.form.includes(` ${key} `) && key !== nameForm(passage.title),
    );
    const key = keyOf(kind, text);
    const keyStems = key === undefined ? [] : contentStems(key);
    const has = (stem: string): boolean => own.has(stem) || above.has(stem);
    const coveredAbove = coverageOf(question, has);
    const said = `${context?.text ?? ''}\n${text}`;
    const { isCode } = profile;
    table.set(row, {
      cosine: cosine(question.vector, vector),
      passageCosine: cosine(question.vector, passage.vector),
      covered: covered[row] ?? 0,
      coveredAbove,
      coveredBefore: coveredBeside(row, -1),
      coveredAfter: coveredBeside(row, 1),
      coveredInPassage: coverageOf(question, (stem) => profile.counts.has(stem)),
      pairs: share(question.pairs, ([first, second]) => has(first) && has(second)),
      rarest: Number(rarest !== undefined && has(rarest)),
      coveredInAll: coverageOf(question, (stem) => own.has(stem) || above.has(stem) || title.has(stem)),
      named: coverageOf(question, (stem) => title.has(stem)),
      keyAsked: keyStems.length === 0 ? 0 : keyStems.filter((stem) => asked.has(stem)).length / keyStems.length,
      inChain: Number(hop < chain),
      lastHop: Number(chain > 1 && hop === chain - 1),
      hop: Math.min(hop, 12),
      place: index / Math.max(1, of),
      first: Number(index === 0),
      units: Math.log(1 + of),
      words: Math.log(1 + own.size),
      fresh: Math.log(1 + [...own].filter((stem) => !asked.has(stem)).length),
      names: Math.log(1 + names.length),
      fits: fits(expected, question, text, names.length),
      code: Number(isCode),
      // What holds no kind that can be told is between what holds it and what does not.
      holdsKind: askedFor.kind === undefined ? 0.5 : Number(holdsAsked(askedFor, said, isCode, kind)),
      mayLead: Number(mayLead(question, { kind, text: said, isCode, covered: coveredAbove, headsList: false })),
      behind: Number(isBehind(passage.path)),
      length: Math.log(1 + text.length),
      contextLength: Math.log(1 + (context?.text.length ?? 0)),
      number: Number(NUMBER.test(text)),
      quoted: Number(QUOTED.test(text)),
      rule: Number(RULES.test(text)),
      announces: Number(/[:：]\s*$/u.test(text)),
      data: Number(passage.kind === 'data'),
    });
    table.set(row, { [`is.${GROUPS[kind]}`]: 1 });
    if (isRead) {
      const { span, supported, support, enough, leadsOn } = unit.encoded ?? UNREAD;
      table.set(row, { read: Number(unit.encoded !== undefined), span, supported, support, enough, leadsOn });
      const alone = unit.encoded?.alone ?? UNREAD;
      table.set(row, { ownSpan: alone.span, ownEnough: alone.enough, ownLeads: alone.leadsOn });
    }
  });
  for (const group of new Set(Object.values(GROUPS))) table.column(`is.${group}`);
  table.addStandings([
    'cosine',
    'passageCosine',
    'covered',
    'coveredInAll',
    ...(isRead ? ['span', 'support', 'enough', 'ownSpan', 'ownEnough', 'ownLeads'] : []),
  ]);
  for (const kind of ASKED_KINDS) table.column(`asks.${kind}`).fill(Number(kind === askedFor.kind));
  for (const [name, pattern] of Object.entries(ASKS))
    table.column(`asks.${name}`).fill(Number(pattern.test(question.text)));
  table.setAll({
    ...question.cues,
    chain,
    rivals: Math.log(1 + units.length),
    expectsNumber: Number(expected.kind === 'number'),
    expectsDate: Number(expected.kind === 'date'),
    expectsName: Number(expected.kind === 'person' || expected.kind === 'place'),
  });
  return table;
}

const share = <T>(all: readonly T[], holds: (each: T) => boolean): number =>
  all.length === 0 ? 0 : all.filter(holds).length / all.length;

/**
 * Whether a unit is a field whose key the question names in all its words: `**Extension:** 461`, for “which extension”.
 */
export function isAskedField(question: QuestionProfile, { kind, text }: Pick<ReadSentence, 'kind' | 'text'>): boolean {
  const key = kind === 'field' ? contentStems(keyOf(kind, text) ?? '') : [];
  return key.length > 0 && key.every((stem) => question.stems.includes(stem));
}

/** The part of a row, field or assignment that says what it is about: its first cell, what stands before its colon. */
export function keyOf(kind: UnitKind, text: string): string | undefined {
  switch (kind) {
    case 'row':
      return text.split(/\||<\/t[dh]>|,/).find((cell) => /[\p{L}\p{N}]/u.test(cell.replace(/<[^<>]*>/g, '')));
    case 'field':
    case 'default':
    case 'constant':
      return /^[^:=]{1,80}[:=]/.exec(text)?.[0];
    default:
      return undefined;
  }
}

/** How well what stands in a unit can be what is asked for; 0.5 where nothing is known. */
function fits(expected: ExpectedAnswer, question: QuestionProfile, text: string, names: number): number {
  switch (expected.kind) {
    case 'number':
      if (/\b(?:how (?:long|often|old)|milliseconds?|seconds?|days?|weeks?|hours?)\b/i.test(question.text))
        return SPAN_OF_TIME.test(text) ? 1 : NUMBER.test(text) ? 0.6 : 0;
      return Number(NUMBER.test(text));
    case 'date':
      return DATE.test(text) ? 1 : NUMBER.test(text) ? 0.3 : 0;
    case 'person':
    case 'place':
      return names > 0 || /@\w/.test(text) ? 1 : 0;
    case 'name':
      return names > 0 || QUOTED.test(text) ? 0.8 : 0.3;
    case 'yes-no':
    case 'choice':
    case 'other':
      return 0.5;
  }
}
