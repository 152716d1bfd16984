import { READING_FORM } from '../answer/reading.ts';
import type { SubAnswer } from '../domain/answer.ts';
import { EVIDENCE_IS_DATA, escapeForPrompt, inOneLine, knownLine, listed } from '../evidence/fence.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import type { SeenAnswer } from '../operators/operator.ts';

/** The same for every conversation of every run, so that a provider's prompt cache serves it. */
const READ_FILES = `You answer questions from the files of one workspace: from what they say, and from nothing else.

${EVIDENCE_IS_DATA} Each stretch begins with its number in brackets, its path and lines, and its title; each of its \
lines follows with the line's number. A place in one line was not opened: read it before you rely on what surrounds it.

Where the evidence answers the question, answer at once. Where something is lacking and you may look things up, do: search \
in other words, as the files may have them (identifiers, headings, terms of the field), read the lines around a place, \
list the references of a symbol. Ask for several looks at once where they do not depend on each other. Check what \
decides: an exception, a later change, a default that is overridden. Say that there is no answer only after a search \
in other words has found none.

${READING_FORM}`;

/** The same for small windows, whose models follow few instructions, and best those that come last. */
const READ_FILES_BRIEFLY = `You answer questions from the files of one workspace, in the language of the question. Often \
the facts of several stretches have to be put together.

${EVIDENCE_IS_DATA} Each stretch begins with its number in brackets and its path; each of its lines follows with its number.`;
/** Ends the first message to them. */
const BRIEF_FORM = `First say in one to three short sentences what leads to the answer, each with the place that says \
it, as [number:line]. Then a last line that begins with "Short:" and has the answer alone: a name, a place, a date, a \
number, yes or no. Take what comes closest.`;

const FROM_MEMORY = `You answer questions from what you know. No file was read. Say so where you are not sure.

Reply in Markdown, in the language of the question, in a few sentences. Last, a line "Short:" with the answer alone in \
as few words as possible; "Short: none" where you do not know it.`;

export const systemMessage = (fromMemory: boolean, isBrief: boolean): ChatMessage => ({
  role: 'system',
  content: fromMemory ? FROM_MEMORY : isBrief ? READ_FILES_BRIEFLY : READ_FILES,
});

interface FirstMessage {
  question: string;
  /** In its fence; '' for none. */
  evidence: string;
  /** Which names of the question no file has; '' for none. */
  note: string;
  known: readonly Pick<SubAnswer, 'question' | 'answer'>[];
  seen: readonly SeenAnswer[];
  guidance: string;
  /** What is left for it; '' where nothing may be looked up. */
  left: string;
  isBrief: boolean;
}

/** The question behind its evidence, where models read it best. */
export function firstMessage(parts: FirstMessage): ChatMessage {
  const { question, evidence, note, known, seen, guidance, left, isBrief } = parts;
  const written = [
    evidence,
    note,
    listed('Found so far:', known.map(knownLine)),
    listed('Others answered; see for yourself whether they are right:', seen.map(seenLine)),
    `Question: ${escapeForPrompt(question)}`,
    guidance,
    left,
    isBrief ? BRIEF_FORM : '',
  ];
  return { role: 'user', content: written.filter(Boolean).join('\n\n') };
}

const seenLine = ({ by, answer, lookedUp }: SeenAnswer): string =>
  `- ${by}${lookedUp ? '' : ', from memory'}: ${inOneLine(answer)}`;

/** What is left, in words for a model: of turns alone, since time, load and what runs beside it differ in a replay. */
export const leftInWords = (looks: number): string =>
  looks <= 0 ? 'Answer from what is shown.' : `Left: ${looks} ${looks === 1 ? 'turn' : 'turns'} to look things up.`;

export const CITE =
  'Your reply cites no line. Give it again with the lines that say it, or "Short: none" where none does.';
export const LOOK_AGAIN =
  'Before you say that there is no answer, search once more in other words, as a file may have them.';
export const LOOKED_UP = 'This was looked up for what is missing. Answer the whole question again.';
