import { z } from 'zod';
import { withoutTrailing } from '#search';
import type { ChatMessage } from '../../language-model/language-model.ts';
import { sanitiseText } from '../../answer/sanitise-text.ts';
import { withoutThoughts } from '../../language-model/thoughts.ts';
import { knownBlock, type KnownAnswer, line, passageBlock, PASSAGES_ARE_DATA, type PromptPassage } from './blocks.ts';
import type { DraftStatement } from '../../answer/answer-draft.ts';
import { citedNumbers, statementsOf, withoutMarks } from './read-answer.ts';

export const NEXT_SUB_QUESTION_TOKENS = 80;
export const nextSubQuestionSchema = z.object({ question: z.string() });

export interface RejectedSubQuestion {
  question: string;
  reason: string;
}

/**
 * RISE's step back (He et al. 2025): another sub-question in the place of a rejected one; '' when there is none worth
 * asking.
 */
export function nextSubQuestionPrompt(
  question: string,
  known: readonly KnownAnswer[],
  rejected: readonly RejectedSubQuestion[],
): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'You help to answer a question by looking things up. Write one other simple question to look up next, ' +
        'in other words or about another thing than those that led nowhere. Do not answer it. Reply with JSON: ' +
        '{"question": "..."}; leave it empty when nothing is left to look up.',
    },
    asked(question, known, `These led nowhere:\n${tried(rejected)}`),
  ];
}

export const NEXT_STEP_TOKENS = 80;
/** `enough` comes first: whether to ask on is decided before a question is thought up. */
export const nextStepSchema = z.object({ enough: z.boolean(), question: z.string() });

/**
 * RISE's decomposition given the history (He et al. 2025, Algorithm 1): the next sub-question after those that are
 * answered, or that they are enough. `rejected` were asked at this point and led nowhere.
 */
export function nextStepPrompt(
  question: string,
  known: readonly KnownAnswer[],
  rejected: readonly RejectedSubQuestion[],
): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'You answer a question step by step by looking things up. Decide whether what was found is enough to ' +
        'answer the question. If it is not, write the one simple question that must be looked up next: it asks ' +
        'for one fact, and names what was found instead of pointing at it. Do not answer it. Reply with JSON: ' +
        '{"enough": true or false, "question": "..."}; leave the question empty when it is enough.',
    },
    asked(question, known, rejected.length > 0 && `These led nowhere; ask for something else:\n${tried(rejected)}`),
  ];
}

const tried = (rejected: readonly RejectedSubQuestion[]): string =>
  rejected.map((one) => `- ${line(one.question)} (${line(one.reason)})`).join('\n');

const asked = (question: string, known: readonly KnownAnswer[], ledNowhere: string | false): ChatMessage => ({
  role: 'user',
  content: [`Question: ${question}`, knownBlock(known), ledNowhere].filter(Boolean).join('\n\n'),
});

export const NEXT_THOUGHT_TOKENS = 70;

interface NextThoughtInput {
  question: string;
  passages: readonly PromptPassage[];
  known: readonly KnownAnswer[];
  /** Sentences of reasoning so far. */
  thoughts: readonly string[];
}

/** IRCoT (Trivedi et al. 2023): one more sentence of reasoning, which is then searched for. */
export function nextThoughtPrompt({ question, passages, known, thoughts }: NextThoughtInput): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        `You reason towards the answer of a question from passages of the user's files, one short sentence at a ` +
        `time. ${PASSAGES_ARE_DATA}`,
    },
    {
      role: 'user',
      content: [
        passageBlock(passages),
        knownBlock(known),
        `Question: ${question}`,
        thoughts.length > 0 ? `Reasoning so far:\n${thoughts.join('\n')}` : '',
        'Write only the next sentence: a new fact from the passages with the number of its passage, like [2]. ' +
          'If the facts are enough, write: So the answer is: <answer>',
      ]
        .filter(Boolean)
        .join('\n\n'),
    },
  ];
}

export interface Thought {
  /** The sentence without marks. */
  text: string;
  numbers: number[];
  /** Set when the reasoning has arrived. */
  answer?: string;
  /** What the sentence says before it arrives, and what it cites: the reasons of the answer. */
  reasons: DraftStatement[];
}

/** The first line of a reply that says something; undefined when none does. */
export function readThought(reply: string): Thought | undefined {
  const line = sanitiseText(withoutThoughts(reply, 'removed'))
    .split('\n')
    .map((part) => part.replace(/^[\s>*-]*(?:next sentence|sentence|thought)\s*:\s*/iu, '').trim())
    .find(Boolean);
  if (line === undefined) return undefined;
  const text = withoutMarks(line);
  if (text === '') return undefined;
  const arrival = ARRIVES.exec(line);
  const rest = arrival ? line.slice(arrival.index + arrival[0].length).trim() : '';
  const answer = withoutTrailing(withoutMarks(rest), /[.\s]/);
  if (!arrival || answer === '') return { text, numbers: citedNumbers(line), reasons: [] };
  const cited = citedNumbers(rest);
  const reasons = [
    ...statementsOf(line.slice(0, arrival.index)),
    ...(cited.length > 0 ? [{ text: answer, numbers: cited }] : []),
  ];
  return { text, numbers: citedNumbers(line), answer, reasons };
}

/** The reasoning arrives: `So the answer is: Tarnby`; “The guide says the answer is cached” does not. */
const ARRIVES = /(?:^|(?<=[.\]:;] {1,3}))(?:(?:so|therefore|thus|hence),? )?the (?:final )?answer is:?(?=\s)/iu;
