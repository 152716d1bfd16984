import { nameForm, splitSentences, withoutLeading, withoutTrailing } from '#search';
import { withoutSecrets } from '#base';
import { withoutThoughts } from '../../language-model/complete.ts';
import type { AnswerDraft, DraftStatement } from '../../answer/answer-draft.ts';
import { sanitiseText } from '../../answer/sanitise-text.ts';
import { inlineText } from '../../answer/passage-lines.ts';
import { saysPhrase } from '../../answer/phrases.ts';

/** A citation mark as models write it: `[2]`, `[1, 3]`, `[passage 2]`, `[2-4]`, `(passage 2)`. */
const MARK =
  /\[\s*(?:passages?\s*)?#?(\d{1,3}(?:\s*(?:,|;|and|&|–|-|\]\s*\[)\s*(?:passages?\s*)?#?\d{1,3})*)\s*\]|\(\s*passages?\s*#?(\d{1,3}(?:\s*(?:,|and|&)\s*\d{1,3})*)\s*\)/giu;
const LABEL =
  /^[\s>*_#-]*(short answer|final answer|so the answer is|the answer is|answer|because|reasoning|reasons?|why|explanation|evidence|conflicts?)\b[\s*_]*(?::|：|(?<=answer is))[\s*_]*/iu;
/** Without the quotation marks, emphasis and stops at its end. */
const NOTHING =
  /^["'“*_\s]*(?:none|nothing|null|n\/?a|unknown|unanswerable|unclear|undetermined|no (?:answer|information|mention|data|evidence)\b.*|not (?:stated|mentioned|given|found|specified|provided|known|available|enough|sufficient|possible|answerable|in the passages)\b.*|insufficient\b.*|(?:it |this |that )?(?:cannot|can't|can not|could not) be (?:determined|answered|found|inferred|known)\b.*|(?:the )?(?:passages?|texts?|documents?|files|information|context) (?:do|does|did) ?(?:not|n't)\b.*|i (?:do not|don't|cannot|can't)\b.*)$/iu;

/** A form that was copied instead of filled in. */
const FORM =
  /[<‹]\s*(?:the answer|number of the|only the|one to three|one sentence|three to six)\b|^\s*[<‹](?:the |your |short )?answer[>›]?\s*$/iu;

/** True for a reply that says that there is no answer. */
export const saysNothing = (answer: string): boolean =>
  answer.trim() === '' || NOTHING.test(withoutTrailing(answer.trim(), /["'”*_\s.!]/)) || FORM.test(answer);

/** A reply that repeats so much of the question is no answer to it: small models copy what they were asked. */
const REPEATED = 0.6;

/** True for a short answer that is the question over again, or most of it; no option out of two is as long as that. */
function repeatsQuestion(short: string, question: string): boolean {
  const words = (text: string): number => nameForm(text).split(' ').length;
  return saysPhrase(question, short) && words(short) >= REPEATED * words(question);
}

/** Numbers that a text cites, in order, each once. */
export function citedNumbers(text: string): number[] {
  const numbers = new Set<number>();
  for (const [, brackets, parentheses] of text.matchAll(MARK))
    for (const part of (brackets ?? parentheses ?? '').split(/,|;|and|&|\]\s*\[/u))
      for (const number of range(part)) numbers.add(number);
  return [...numbers];
}

/** `2–4` counts up; a range that would be longer than a prompt's passages is taken for its ends. */
function range(part: string): number[] {
  const [from = Number.NaN, to] = [...part.matchAll(/\d+/g)].map(Number);
  if (Number.isNaN(from)) return [];
  if (to === undefined) return [from];
  return to > from && to - from < 10 ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : [from, to];
}

/** A text without its marks. */
export const withoutMarks = (text: string): string =>
  closedUp(text.replace(MARK, ''))
    .replace(/[ \t]{2,}/gu, ' ')
    .trim();

/** White space before punctuation goes. */
const closedUp = (text: string): string =>
  text.replace(/\s+/gu, (space, at: number) => ('.,;:!?'.includes(text.charAt(at + space.length) || ' ') ? '' : space));

type Section = 'answer' | 'because' | 'conflict';

/**
 * Reads a reply to answer.ts's prompts; undefined when it says that there is no answer, or only repeats the question.
 * Tolerates replies that forgot the form.
 */
export function readAnswer(reply: string, question = ''): AnswerDraft | undefined {
  const sections = sectionsOf(sanitiseText(withoutThoughts(reply, 'removed')));
  const lead = sections.answer.join(' ').trim() || (sections.because[0] ?? '');
  if (saysNothing(withoutMarks(lead))) return undefined;
  const short = shortForm(lead);
  if (repeatsQuestion(short, question)) return undefined;
  const because = statementsOf(sections.because.join('\n'));
  const leadStatements = statementsOf(sections.answer.join('\n'));
  // Without reasons the answer's own line is the statement; a long answer is one as well.
  const statements =
    because.length === 0
      ? leadStatements
      : leadStatements
          .filter(({ text }) => text.length > 60 && !because.some((reason) => reason.text === text))
          .concat(because);
  return {
    short,
    statements: withLeadNumbers(statements, short, citedNumbers(lead)),
    conflicts: statementsOf(sections.conflict.join('\n')),
  };
}

const CHATTER =
  /^(?:i hope|hope (?:this|that)|let me know|feel free|please note|note that i|is there anything|thank you)\b/iu;

/**
 * Lines by section. What stands before a labelled answer is warming up; what follows its line unlabelled only counts
 * when it cites.
 */
function sectionsOf(reply: string): Record<Section, string[]> {
  const sections: Record<Section, string[]> = { answer: [], because: [], conflict: [] };
  let current: Section | 'after' = 'answer';
  for (const raw of reply.split('\n')) {
    const label = LABEL.exec(raw);
    const line = (label ? raw.slice(label[0].length) : raw).trim();
    if (label) current = sectionOf(label[1] ?? '');
    if (line === '' || CHATTER.test(line)) continue;
    if (label && current === 'answer') {
      sections.answer = [line]; // a second answer, after the reasons, is the considered one
      current = 'after';
    } else if (current !== 'after') sections[current].push(line);
    else if (citedNumbers(line).length > 0) sections.because.push(line);
  }
  return sections;
}

function sectionOf(label: string): Section {
  if (/answer/iu.test(label)) return 'answer';
  return /conflict/iu.test(label) ? 'conflict' : 'because';
}

/** The answer alone: marks, quotation marks and a full stop go; of a rambling answer the first sentence stays. */
function shortForm(lead: string): string {
  const plain = withoutMarks(lead)
    .replace(/\*\*|__|`/gu, '')
    .trim();
  const span = plain.length > 120 ? splitSentences(plain)[0] : undefined;
  const text = span ? plain.slice(span.start, span.end) : plain;
  return unquoted(text)
    .replace(/(?<!\b\p{Lu})\.$/u, '')
    .trim();
}

/** What begins with quotation marks loses them, and those at its end with the full stop behind them. */
function unquoted(text: string): string {
  const said = withoutLeading(text, QUOTATION_MARK);
  return said === text ? text : withoutTrailing(said.endsWith('.') ? said.slice(0, -1) : said, QUOTATION_MARK);
}

const QUOTATION_MARK = /["'“”]/;
/** Marks right behind the end of a sentence. */
const MARKS_BEHIND = /(?:\s*\[\s*(?:passages?\s*)?#?\d[^\]\n]{0,40}\])+/iuy;

/** Marks that stand behind the end of a sentence are put before it: “… here. [2]” cites what it follows. */
function marksWithin(line: string): string {
  let out = '';
  let from = 0;
  for (const { index } of line.matchAll(/[.!?]/gu)) {
    if (index < from) continue;
    MARKS_BEHIND.lastIndex = index + 1;
    const marks = MARKS_BEHIND.exec(line)?.[0];
    if (marks === undefined) continue;
    out += `${line.slice(from, index)}${marks}${line.charAt(index)}`;
    from = index + 1 + marks.length;
  }
  return out + line.slice(from);
}

/** Sentences with the numbers that stand in or right after them. */
function statementsOf(text: string): DraftStatement[] {
  const statements: DraftStatement[] = [];
  for (const line of text.split('\n')) {
    const joined = marksWithin(line.replace(/^[\s>]*(?:[-*+•]|\d+[.)])\s+/u, ''));
    for (const { start, end } of splitSentences(joined)) {
      const sentence = joined.slice(start, end);
      const plain = withoutMarks(sentence);
      const numbers = citedNumbers(sentence);
      const last = statements.at(-1);
      if (/[\p{L}\p{N}]/u.test(plain)) statements.push({ text: plain, numbers });
      else if (last) last.numbers = [...new Set([...last.numbers, ...numbers])];
    }
  }
  return statements;
}

function withLeadNumbers(
  statements: readonly DraftStatement[],
  short: string,
  numbers: readonly number[],
): DraftStatement[] {
  if (numbers.length === 0) return [...statements];
  return statements.map((statement) =>
    statement.numbers.length === 0 && statement.text.includes(short)
      ? { ...statement, numbers: [...numbers] }
      : statement,
  );
}

const OPENING_LABEL =
  /^[\s*_#>-]*(?:answer|because|short answer|final answer|why|reasoning|conflicts?)\s*(?:[*_]+\s*)?:\s*[*_]*/iu;

/**
 * Shows a reply while it is written: whole lines only, inert, without labels and marks (numbers are given when the
 * citations have been checked). A reply that says that there is no answer is not shown at all.
 */
export class AnswerStream {
  readonly #show: (text: string) => void;
  /** Pieces of the line that is being written. */
  #line: string[] = [];
  #silent = false;
  #any = false;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  write(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line.push(text.slice(from, end));
      this.end();
      from = end + 1;
    }
    if (from < text.length) this.#line.push(text.slice(from));
  }

  end(): void {
    const line = this.#line.join('');
    this.#line = [];
    this.#put(line);
  }

  #put(line: string): void {
    const text = inlineText(withoutMarks(withoutSecrets(line).replace(OPENING_LABEL, '')));
    if (text === '') return;
    if (!this.#any && saysNothing(text)) this.#silent = true;
    if (this.#silent) return;
    this.#show(this.#any ? `\n${text}` : text);
    this.#any = true;
  }
}
