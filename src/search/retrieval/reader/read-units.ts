import type { Unit, UnitContext, UnitKind } from '../../domain/unit.ts';
import { isProsePassage } from '../../domain/passage.ts';
import { lastTitle } from '../../domain/passage-title.ts';
import { textUnits } from '../../reading/units/prose-units.ts';
import { profileSentence, type PassageProfile, type SentenceProfile } from '../features/passage-profile.ts';

/** What the joint encoder says of a unit, its passage read alone with the question. */
export interface EncodedUnit {
  /** How much likelier the best answer that touches it is than that the passage has none: a difference of logits. */
  span: number;
  /** Log-probability that the unit supports an answer and that its passage is enough for one. */
  supported: number;
  /** Logit that the unit supports an answer: it compares the units of all passages that were read. */
  support: number;
  /** Logit that its passage is enough for an answer. */
  enough: number;
  /** Logit that its passage leads towards one. */
  leadsOn: number;
  /** What it says of the unit read alone, in what has to be read before it; undefined of all but the best. */
  alone?: { enough: number; leadsOn: number; span: number };
}

/** A unit of one of the passages read. */
export interface ReadSentence {
  profile: PassageProfile;
  /** Place of its passage among all that were read; those of the chain come first. */
  hop: number;
  /** Place in its passage. */
  index: number;
  /** Units of its passage. */
  of: number;
  sentence: SentenceProfile;
  text: string;
  kind: UnitKind;
  /** What has to be read before it. */
  context?: UnitContext;
  /** Embedded as a passage; undefined when embeddings are not at hand. */
  vector?: Float32Array;
  /** What the joint encoder says of it; undefined when it was not read. */
  encoded?: EncodedUnit;
}

/**
 * Units of the passages in reading order, as they were found in the file; those of imported text by its sentences. A
 * comment and the short line that it stands above are one.
 */
export function sentencesOf(passages: readonly PassageProfile[]): ReadSentence[] {
  return passages.flatMap((profile, hop) => {
    const { passage, isCode } = profile;
    const { text } = passage;
    const cut = withComments(passage.text, passage.units ?? textUnits(passage.text, isCode ? 'code' : 'prose'));
    const units = isProsePassage(passage) ? withDates(passage, cut) : cut;
    return units.map(({ start, end, kind, context }, index) => ({
      profile,
      hop,
      index,
      of: units.length,
      sentence: profileSentence(text, start, end),
      text: text.slice(start, end),
      kind,
      ...(context && { context }),
    }));
  });
}

/** A release or a year. */
const DATED = /\bv?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?\b|\b(?:19|20)\d\d\b/u;
const HEADING = /^#{1,6}[ \t]+([^\n]{1,200})|^([^\n]{1,200})\n(?:={3,}|-{3,})[ \t]*$/gmu;

/**
 * Units with the heading that they stand below where it tells their release or day: of a change, `2.11.0 / 2019-10-28`
 * is what is asked for, and the line itself lacks it.
 */
function withDates({ text, title }: PassageProfile['passage'], units: readonly Unit[]): Unit[] {
  const behind = frontMatterEnd(text); // its last line and the rule below it look like a heading
  const headings = [...text.matchAll(HEADING)].filter(({ index }) => index >= behind);
  return units.map((unit) => {
    if (unit.kind === 'row') return unit; // what stands above a row is the header of its cells
    const above = headings.findLast(({ index }) => index < unit.start);
    const heading = (above ? (above[1] ?? above[2] ?? '') : lastTitle(title)).trim();
    const [told] = DATED.exec(heading) ?? [];
    const { context } = unit;
    if (told === undefined || `${context?.text ?? ''} ${text.slice(unit.start, unit.end)}`.includes(told)) return unit;
    return { ...unit, context: { ...context, text: context ? `${heading} › ${context.text}` : heading } };
  });
}

/** Where a text's front matter ends, which a short page has in one passage with what follows; 0 without any. */
const frontMatterEnd = (text: string): number => (text.startsWith('---\n') ? text.indexOf('\n---', 3) + 1 : 0);

/** What a comment above it explains, where it is one line. */
const EXPLAINED: ReadonlySet<UnitKind> = new Set(['field', 'constant', 'default', 'statement', 'error', 'signature']);
/** Longer comments are a text of their own: a licence, an introduction. */
const LONGEST_COMMENT = 400;
/** A longer line is quoted on its own. */
const LONGEST_LINE = 200;

/**
 * Units in which a comment that stands directly above a line of code and that line are one: what a setting means stands
 * in the comment, what it is in the line, and neither answers alone.
 */
function withComments(text: string, units: readonly Unit[]): Unit[] {
  const joined: Unit[] = [];
  for (const unit of units) {
    const above = joined.at(-1);
    if (above && explains(text, above, unit)) {
      // The comment's context is the line itself; that of the line says where both stand.
      joined[joined.length - 1] = { ...unit, start: above.start };
    } else joined.push(unit);
  }
  return joined;
}

function explains(text: string, comment: Unit, line: Unit): boolean {
  if (comment.kind !== 'comment' || !EXPLAINED.has(line.kind)) return false;
  if (comment.end - comment.start > LONGEST_COMMENT || line.end - line.start > LONGEST_LINE) return false;
  const between = text.slice(comment.end, line.start);
  const isNext = between.trim() === '' && between.split('\n').length === 2;
  const said = text.slice(line.start, line.end).trim();
  return isNext && !said.includes('\n') && !/[{([]$/u.test(said);
}
