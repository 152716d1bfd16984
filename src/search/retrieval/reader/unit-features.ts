import { cosine, remembered } from '#base';
import { isProsePassage } from '../../domain/passage.ts';
import type { UnitKind } from '../../domain/unit.ts';
import { nameForm, readNames } from '../../text/names.ts';
import { contentStems } from '../../text/words.ts';
import { standsBehind } from '../file-roles.ts';
import { coverageOf } from '../features/chain-profile.ts';
import { FeatureTable } from '../features/feature-table.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { AnalysedQuestion } from '../question.ts';
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

/** Forms that need no language: what a unit holds. */
const FORMS: Readonly<Record<string, RegExp>> = {
  number: /\p{N}/u,
  date: /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/u,
  version: /\bv?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?\b/u,
  quoted: /["'`][^"'`\n]{2,200}["'`]/u,
  announces: /[:：]\s{0,9}$/u,
};

/** What the joint encoder says of units that it did not read. */
const UNREAD = { span: -25, supported: -12, support: -12, enough: -12, leadsOn: -12 };

/** What is shown before a unit and the unit itself: what is compared with the question. */
export const unitInContext = ({ text, context }: Pick<ReadSentence, 'text' | 'context'>): string =>
  context ? `${context.text}: ${text}` : text;

const pathStems = new WeakMap<PassageProfile, ReadonlySet<string>>();

/** Stems of the words of a passage's path without its extension. */
const stemsOfPath = (profile: PassageProfile): ReadonlySet<string> =>
  remembered(pathStems, profile, () => new Set(contentStems(profile.passage.path.replace(/\.[^./]+$/, ''))));

/**
 * Features of units as answers to a question. Units of all passages that were read are rivals. No feature is a word of
 * any language, or a place of one corpus.
 */
export function unitFeatures(question: AnalysedQuestion, units: readonly ReadSentence[]): FeatureTable {
  const table = new FeatureTable(units.length);
  const asked = new Set(question.stems);
  const titles = new Map<object, ReadonlySet<string>>();
  const isBehind = standsBehind(question.stems);
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
    const above = new Set(context ? contentStems(context.text) : []);
    const own = sentence.stems;
    const names = readNames(text).filter(
      ({ key }) => !question.form.includes(` ${key} `) && key !== nameForm(passage.title),
    );
    const key = keyOf(kind, text);
    const keyStems = key === undefined ? [] : contentStems(key);
    const has = (stem: string): boolean => own.has(stem) || above.has(stem);
    table.set(row, {
      cosine: cosine(question.vector, vector),
      passageCosine: cosine(question.vector, passage.vector),
      covered: covered[row] ?? 0,
      coveredAbove: coverageOf(question, has),
      coveredBefore: coveredBeside(row, -1),
      coveredAfter: coveredBeside(row, 1),
      coveredInPassage: coverageOf(question, (stem) => profile.counts.has(stem)),
      pairs: share(question.pairs, ([first, second]) => has(first) && has(second)),
      rarest: Number(rarest !== undefined && has(rarest)),
      coveredInAll: coverageOf(question, (stem) => own.has(stem) || above.has(stem) || title.has(stem)),
      named: coverageOf(question, (stem) => title.has(stem)),
      keyAsked: share(keyStems, (stem) => asked.has(stem)),
      hop: Math.min(hop, 12),
      place: index / Math.max(1, of),
      first: Number(index === 0),
      units: Math.log(1 + of),
      words: Math.log(1 + own.size),
      fresh: Math.log(1 + [...own].filter((stem) => !asked.has(stem)).length),
      names: Math.log(1 + names.length),
      code: Number(profile.isCode),
      behind: Number(isBehind(passage.path)),
      length: Math.log(1 + text.length),
      contextLength: Math.log(1 + (context?.text.length ?? 0)),
      data: Number(passage.kind === 'data'),
      frontMatter: Number(passage.kind === 'front-matter' || standsInFrontMatter(unit)),
      [`is.${GROUPS[kind]}`]: 1,
    });
    for (const [name, form] of Object.entries(FORMS)) table.set(row, { [name]: Number(form.test(text)) });
    if (isRead) {
      const { span, supported, support, enough, leadsOn } = unit.encoded ?? UNREAD;
      const alone = unit.encoded?.alone ?? UNREAD;
      table.set(row, { read: Number(unit.encoded !== undefined), span, supported, support, enough, leadsOn });
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
  table.setAll({ rivals: Math.log(1 + units.length), terms: question.stems.length });
  return table;
}

const share = <T>(all: readonly T[], holds: (each: T) => boolean): number =>
  all.length === 0 ? 0 : all.filter(holds).length / all.length;

/** Whether a unit stands in the front matter that its passage begins with. */
function standsInFrontMatter({ profile: { passage }, sentence: { start } }: ReadSentence): boolean {
  if (passage.startLine !== 1 || !isProsePassage(passage) || !passage.text.startsWith('---\n')) return false;
  return start + 1 < passage.text.indexOf('\n---', 3) + 1;
}

/** The part of a row, field or assignment that says what it is about: its first cell, what stands before its colon. */
function keyOf(kind: UnitKind, text: string): string | undefined {
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

/** Features of the best unit, and the most that any unit has of them, for {@link answerFeatures}. */
const ENCODED = ['span', 'supported', 'support', 'enough', 'leadsOn', 'ownSpan', 'ownEnough', 'ownLeads'] as const;
const PLAIN = ['cosine', 'passageCosine', 'covered', 'coveredAbove', 'coveredInAll', 'coveredInPassage'] as const;
const OF_BEST = [...PLAIN, 'rarest', 'pairs', 'named', ...ENCODED, 'code'] as const;
const MOST_OF_ALL = [...PLAIN, 'named', ...ENCODED] as const;
/** Of a feature that no unit has: the joint encoder read none. */
const UNKNOWN = -30;

/**
 * Features that tell whether what was read has an answer at all: how the best units stand among the others, and what
 * the passages have of the question.
 */
export function answerFeatures(
  question: AnalysedQuestion,
  passages: readonly PassageProfile[],
  { table, logits }: { table: FeatureTable; logits: readonly number[] },
): Record<string, number> {
  const order = [...logits.keys()].sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b);
  const logitAt = (place: number): number => logits[order[Math.min(place, order.length - 1)] ?? 0] ?? UNKNOWN;
  const known = new Set(table.names());
  const columnOf = (name: string): Float64Array => (known.has(name) ? table.column(name) : new Float64Array([UNKNOWN]));
  const names = question.names.filter(({ kind }) => kind !== 'number');
  const found = names.filter(({ key }) => passages.some(({ said }) => said.includes(` ${key} `)));
  const open = question.stems.filter((stem) => !passages.some(({ counts }) => counts.has(stem)));
  const features: Record<string, number> = {
    passages: passages.length,
    openRarest: Math.max(0, ...open.map((stem) => question.idf.get(stem) ?? 0)),
    openTerms: share(question.stems, (stem) => open.includes(stem)),
    terms: question.stems.length,
    openNames: names.length - found.length,
    best: logitAt(0),
    second: logitAt(1),
    third: logitAt(2),
    sixth: logitAt(5),
    lead: logitAt(0) - logitAt(1),
    all: Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0)),
    units: logits.length,
  };
  for (const name of OF_BEST)
    features[`best.${name}`] = columnOf(name)[known.has(name) ? (order[0] ?? 0) : 0] ?? UNKNOWN;
  for (const name of MOST_OF_ALL) features[`most.${name}`] = Math.max(...columnOf(name));
  return features;
}
