import { withoutSecrets } from '#base';
import { z } from 'zod';
import { cutAtMarks, type MarkedSentence, sentencesOf } from '../evidence/citations.ts';
import { jsonCandidates } from '../language-model/lenient-json.ts';
import { withoutThoughts } from '../language-model/thoughts.ts';
import { inert } from './inert-text.ts';

/** What a model made of the evidence. Prose is asked for, as it streams and large models write it best. */
export interface Reading {
  /** The answer in its own words, with the marks as they were written; '' where there is none. */
  text: string;
  /** The answer alone, in as few words as possible; '' where there is none. */
  short: string;
  /** What the evidence leaves open, each as a question. */
  missing: string[];
  /** The model says that the evidence holds no answer. */
  none: boolean;
  /** The text by its sentences: what is said, and what is cited for it. */
  statements: MarkedSentence[];
}

export const READING_FORM = `Reply in Markdown, in the language of the question:
- Begin with the answer itself. Then what it rests on, as briefly as is complete: each value, condition and exception that the question asks for.
- Behind each statement cite the lines that say it: [number:line] or [number:from-to], with the number that stands before the stretch.
- Write names, numbers and quotes as the evidence has them.
- Where the question takes for granted what the evidence shows to be otherwise, that is the answer: say how it is, and cite the lines that show it.
- Last, a line "Short:" with the answer alone in as few words as possible: a name, a number, yes or no, a list, what is otherwise. \
"Short: none" where the evidence holds no answer.
- For each part of the question that the evidence leaves open, one more line "Missing:" with that part as a question.`;

/** A line that is no part of the prose: its name, and what follows. Some models write it bold or as a heading. */
const LABELLED = /^[\s>*_#-]{0,8}(short(?: answer)?|answer|missing)[*_\s]{0,4}[:：][*_\s]{0,4}(.*)$/iu;
/** A reply that a model put into a fence as a whole, as if it were asked for Markdown's source. */
const FENCED = /^```(?:markdown|md)?\n((?:(?!```)[^])*)\n```$/iu;
/** What stands for no answer, alone. */
const NONE = /^[\s"'`*_([]*(?:none|no answer|not found|n\/a)[\s"'`*_.)\]]*$/iu;

const jsonReading = z.object({
  statements: z
    .array(
      z.union([
        z.string(),
        z.object({ text: z.string(), citations: z.array(z.union([z.string(), z.number()])).optional() }),
      ]),
    )
    .optional(),
  answer: z.string().optional(),
  short: z.union([z.string(), z.number()]).nullish(),
  missing: z.union([z.array(z.string()), z.string()]).nullish(),
  none: z.boolean().optional(),
});

/** Any reply as a reading: prose, with its labelled lines or without, or the same as JSON. */
export function readReply(reply: string): Reading {
  const said = withoutThoughts(reply, 'removed').trim().replace(FENCED, '$1');
  return fromJson(said) ?? fromProse(said);
}

function fromJson(said: string): Reading | undefined {
  if (!/^(?:```[a-z]*\s*)?\{/iu.test(said)) return undefined;
  for (const candidate of jsonCandidates(said)) {
    const parsed = jsonReading.safeParse(candidate);
    if (!parsed.success) continue;
    const { statements = [], answer = '', short, missing, none } = parsed.data;
    const lines = statements.map((one) =>
      typeof one === 'string' ? one : `${one.text} ${(one.citations ?? []).map(bracketed).join('')}`.trim(),
    );
    const text = [answer, ...lines].filter(Boolean).join('\n');
    const brief = short === null || short === undefined ? '' : String(short);
    if (text === '' && brief === '' && !none) continue;
    return reading(text, brief, [missing ?? []].flat(), none);
  }
  return undefined;
}

const bracketed = (citation: string | number): string =>
  /^[[【(]/u.test(String(citation)) ? String(citation) : `[${citation}]`;

function fromProse(said: string): Reading {
  const body: string[] = [];
  const missing: string[] = [];
  let short = '';
  let listing = false; // `Missing:` alone, with its questions as a list below
  for (const line of said.split('\n')) {
    const [, label = '', rest = ''] = LABELLED.exec(line) ?? [];
    const item = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s(.*)$/u.exec(line)?.[1];
    if (label.toLowerCase() === 'missing') {
      listing = rest.trim() === '';
      if (!listing && !NONE.test(rest)) missing.push(rest);
    } else if (listing && item !== undefined) missing.push(item);
    else if (label !== '' && rest.trim() !== '') {
      listing = false;
      short = rest;
    } else if (line.trim() !== '' || !listing) {
      listing &&= line.trim() === '';
      body.push(line);
    }
  }
  return reading(body.join('\n').trim(), short, missing);
}

function reading(text: string, said: string, missing: readonly string[], none?: boolean): Reading {
  const isNone = none ?? (NONE.test(said) || (said === '' && NONE.test(text)));
  const body = text === '' && !isNone ? said : NONE.test(text) ? '' : text;
  const statements = statementsOf(body);
  const first = statements.find((piece) => /[\p{L}\p{N}]/u.test(piece.text))?.text ?? '';
  return {
    text: body,
    short: isNone ? '' : plainShort(said === '' ? first : said),
    missing: missing.map((one) => withoutMarks(one).trim()).filter(Boolean),
    none: isNone,
    statements,
  };
}

export function statementsOf(body: string): MarkedSentence[] {
  let inCode = false;
  return body.split('\n').flatMap((line) => {
    if (/^\s*(?:```|~~~)/u.test(line)) inCode = !inCode;
    return inCode || /^\s*(?:```|~~~)/u.test(line) ? [] : sentencesOf(line);
  });
}

export const withoutMarks = (line: string): string =>
  cutAtMarks(line)
    .map(({ text }) => text)
    .join('')
    .replace(/(?<! ) +(?=[.,;:!?]|$)/gu, '');

/** Without marks, emphasis and the full stop of a sentence. */
const plainShort = (short: string): string =>
  withoutMarks(short)
    .replace(/\*\*|__/gu, '')
    .trim()
    .replace(/[.。]$/u, '');

/** A look that a model writes as text: no part of an answer. */
const isLook = (text: string): boolean => /^\s*(?:```[a-z]*\s*)?\{/iu.test(text);

/** The prose of a reply as it comes, inert. Where what follows changes a line, its rest is left to the whole answer. */
export class ProseStream {
  readonly #emit: (text: string) => void;
  #line = '';
  /** Of the line, as it was told. */
  #told = '';
  #isLook: boolean | undefined;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    const begun = [...lines, this.#line].find((line) => line.trim() !== '');
    if (begun !== undefined) this.#isLook ??= isLook(begun);
    if (this.#isLook) this.#line = '';
    if (this.#isLook !== false) return;
    for (const line of lines) this.#tell(line, '\n');
    const end = /^.*[.!?。！？](?=\s)/su.exec(this.#line)?.[0];
    if (end !== undefined) this.#tell(end, undefined);
  }

  end(): void {
    if (this.#isLook === false) this.#tell(this.#line, '');
    this.#line = '';
  }

  /** @param ends What ends the line; undefined: it goes on. */
  #tell(line: string, ends: string | undefined): void {
    const text = LABELLED.test(line) ? '' : inert(withoutMarks(withoutSecrets(line)));
    if (text.startsWith(this.#told) && text.length > this.#told.length) {
      this.#emit(text.slice(this.#told.length));
      this.#told = text;
    }
    if (ends === undefined) return;
    if (ends !== '' && !LABELLED.test(line)) this.#emit(ends);
    this.#told = '';
  }
}
