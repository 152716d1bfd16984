import { nameForm, splitSentences, withoutLeading, withoutTrailing } from '#search';
import { withoutSecrets, expression } from '#base';
import { withoutThoughts } from '../../language-model/thoughts.ts';
import { type AnswerDraft, type DraftStatement, saysPhrase } from '../../answer/answer-draft.ts';
import { sanitiseText } from '../../answer/sanitise-text.ts';
import { inlineText } from '../../answer/passage-lines.ts';

/** A citation mark as models write it: `[2]`, `[1, 3]`, `[passage 2]`, `[2-4]`, `(passage 2)`. */
const MARK = expression('giu')`
  (?<![._]\p{L}\w{0,40}|\]|\[)\[\s*(?:passages?\s*)?
  #?(\d{1,3}(?:\s*(?:,|;|and|&|–|-|\]\s*\[)\s*(?:passages?\s*)?#?\d{1,3})*)\s*\]|
  \(\s*passages?\s*#?(\d{1,3}(?:\s*(?:,|and|&)\s*\d{1,3})*)\s*\)
`;
const LABEL = expression('iu')`
  ^[\s>*_#-]*(short answer|final answer|(?:(?:so|therefore|thus|hence),? )?the answer is|answer|because|reasoning|
    reasons?|why|explanation|evidence|conflicts?)\b[\s*_]*(?::|：|(?<=answer is))
`;
/** A label that is a heading, or stands in bold on a line of its own. */
const LABEL_LINE = expression('iu')`
  ^\s*(?:#{1,6}\s+(?:\*\*)?|\*\*|__)(short answer|final answer|answer|because|reasoning|reasons?|why|explanation|
    evidence|conflicts?)(?:\*\*|__)?\s*$
`;
/** The answer that begins behind the reasons, on their line, or they behind it. */
const LABEL_BEHIND = /(?<=[.\]])[ \t]{1,4}(?=(?:\*\*)?(?:(?:short |final )?answer|because)(?:\*\*)?:)/giu;
/** What begins or ends a block of code. */
const FENCE = /^(?:`{3}|~~~)[\w+#-]*$/u;
/** What says, without the quotation marks, emphasis and stops at its end, that there is no answer. */
const NOTHING = expression('iu')`
  ^["'“*_\s]*(?:none|nothing|null|n\/?a|unknown|unanswerable|unclear|undetermined|
    no (?:answer|information|mention|data|evidence)\b.*|
    not (?:stated|mentioned|given|found|specified|provided|known|available|enough|sufficient|possible|answerable|
      in the passages)\b.*|insufficient\b.*|
    (?:it |this |that )?(?:cannot|can't|can not|could not) be (?:determined|answered|found|inferred|known)\b.*|
    (?:the )?(?:passages?|texts?|documents?|files|information|context) (?:do|does|did) ?(?:not|n't)\b.*|
    i (?:do not|don't|cannot|can't)\b.*)$
`;
/** The same beyond doubt: also a cited “null” or “Not available on Windows” is an answer, these are none. */
const NONE = expression('iu')`
  ^["'“*_\s]*(?:none|n\/a|none \([^()\n]{0,60}\)|not (?:stated|mentioned|specified|answerable)
    (?: (?:in|by|anywhere)\b.*)?|none of the (?:passages?|texts?|documents?|files|sources)\b.*)$
`;
/** How a sentence begins that says so. */
const BY_PASSAGES = /^["'“*_\s]*(?:based on|according to|from) (?:the|these) [^,.\n]{1,60}, /iu;
const SPEAKS_OF_NONE = expression('iu')`
  ^["'“*_\s]*(?:(?:there is|i (?:could|can) find|i found) no (?:answer|information|mention|evidence)\b.*|
    it is not (?:stated|mentioned|given|specified|possible to (?:answer|determine|say|tell|know))\b.*|
    (?:the |these )(?:provided |given |cited )?
    (?:passages?|texts?|documents?|files|context|sources?|information) (?:do|does|did) ?(?:not|n't) (?:say|tell|
      mention|state|contain|provide|give|specify|answer|include|describe|name|indicate|show)\b.*|
    i (?:could|can|do|did) ?(?:not|n't) (?:find|tell|know|determine|answer)\b.*)$
`;

/** A form that was copied instead of filled in. */
const FORM = expression('iu')`
  [<‹]\s*(?:the answer|number of the|only the|one to three|one sentence|three to six)\b|
  ^\s*[<‹](?:the |your |short )?answer[>›]?\s*$
`;

/**
 * True for a reply that says that there is no answer.
 * @param cited It cites a passage, or its reasons do.
 */
export function saysNothing(answer: string, cited = false): boolean {
  const said = withoutTrailing(answer.trim(), /["'”*_\s.!]/).replaceAll('’', "'");
  if (said === '' || FORM.test(answer) || NONE.test(said) || SPEAKS_OF_NONE.test(said.replace(BY_PASSAGES, '')))
    return true;
  return !cited && NOTHING.test(said);
}

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
  const sections = sectionsOf(sanitiseText(withoutThoughts(reply, 'removed').replace(/【(\d{1,3})】/gu, '[$1]')));
  const lead = joinedLines(sections.answer) || (sections.because[0] ?? '');
  const cited = citedNumbers([lead, ...sections.because].join('\n')).length > 0;
  if (saysNothing(withoutMarks(lead), cited)) return undefined;
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
  for (const raw of reply.replace(LABEL_BEHIND, '\n').split('\n')) {
    const label = LABEL.exec(raw) ?? LABEL_LINE.exec(raw);
    const line = label ? behindLabel(raw, label[0]) : raw.trim();
    if (label) current = sectionOf(label[1] ?? '');
    if (line === '' || FENCE.test(line) || CHATTER.test(line)) continue;
    if (label && current === 'answer') {
      sections.answer = [line]; // a second answer, after the reasons, is the considered one
      current = 'after';
    } else if (current !== 'after') sections[current].push(line);
    else if (citedNumbers(line).length > 0) sections.because.push(line);
  }
  return sections;
}

/** What a label's line says: without the emphasis that begins before the label and ends behind it, or with the line. */
function behindLabel(line: string, label: string): string {
  const said = line.slice(label.length).trim();
  const opened = /^[\s>#-]*(\*\*|__)/u.exec(label)?.[1];
  if (opened === undefined) return said;
  if (said.startsWith(opened)) return said.slice(opened.length).trim();
  return said.endsWith(opened) && said.indexOf(opened) === said.length - opened.length
    ? said.slice(0, -opened.length).trim()
    : said;
}

const LISTED = /^(?:[-*+•]|\d{1,2}[.)])\s+/u;

/** Lines as one; those of a list by commas. */
const joinedLines = (lines: readonly string[]): string =>
  lines.length > 1 && lines.every((line) => LISTED.test(line))
    ? lines.map((line) => line.replace(LISTED, '')).join(', ')
    : lines.join(' ').trim();

function sectionOf(label: string): Section {
  if (/answer/iu.test(label)) return 'answer';
  return /conflict/iu.test(label) ? 'conflict' : 'because';
}

/** The answer alone: marks, quotation marks and a full stop go; of a rambling answer the first sentence stays. */
function shortForm(lead: string): string {
  const plain = withoutEmphasis(withoutMarks(lead)).trim();
  const span = plain.length > 120 ? splitSentences(plain)[0] : undefined;
  const text = span ? plain.slice(span.start, span.end) : plain;
  return unquoted(text)
    .replace(/(?<!\b\p{Lu})\.$/u, '')
    .trim();
}

/** Bold words and code without their signs; `__init__`, `**kwargs` and `*args` keep what is their own. */
const withoutEmphasis = (text: string): string =>
  text
    .replace(/\*\*([^*\n]{1,400})\*\*/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])__([^_\n]{1,200} [^_\n]{1,200})__(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/`{1,2}([^`\n]{1,400})`{1,2}/gu, '$1');

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
export function statementsOf(text: string): DraftStatement[] {
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

/**
 * Shows a reply while it is written: whole lines only, inert, without labels and marks (numbers are given when the
 * citations have been checked). A reply that says that there is no answer is not shown at all.
 */
export class AnswerStream {
  readonly #show: (text: string) => void;
  /** Pieces of the line that is being written. */
  #line: string[] = [];
  #silent = false;
  /** What stands in a thought is not shown. */
  #thinking = false;
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

  #put(written: string): void {
    const line = this.#withoutThought(written);
    const label = LABEL.exec(line) ?? LABEL_LINE.exec(line);
    const text = inlineText(withoutMarks(withoutSecrets(label ? behindLabel(line, label[0]) : line)));
    if (text === '' || FENCE.test(text)) return;
    if (!this.#any && saysNothing(text)) this.#silent = true;
    if (this.#silent) return;
    this.#show(this.#any ? `\n${text}` : text);
    this.#any = true;
  }

  #withoutThought(line: string): string {
    const text = this.#thinking ? `<think>${line}` : line;
    const spoken = withoutThoughts(text, 'removed');
    this.#thinking = spoken !== withoutThoughts(text, 'kept');
    return spoken;
  }
}
