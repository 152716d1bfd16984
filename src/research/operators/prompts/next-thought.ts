import { sanitiseText } from '../../answer/sanitise-text.ts';
import type { ChatMessage } from '../../language-model/language-model.ts';
import { withoutThoughts } from '../../language-model/complete.ts';
import { withoutTrailing } from '#search';
import { type KnownAnswer, knownBlock, passageBlock, PASSAGES_ARE_DATA, type PromptPassage } from './blocks.ts';
import { citedNumbers, withoutMarks } from './read-answer.ts';

export const NEXT_THOUGHT_TOKENS = 70;

export interface NextThoughtInput {
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
      content: `You reason towards the answer of a question from passages of the user's files, one short sentence at a time. ${PASSAGES_ARE_DATA}`,
    },
    {
      role: 'user',
      content: [
        passageBlock(passages),
        knownBlock(known),
        `Question: ${question}`,
        thoughts.length > 0 ? `Reasoning so far:\n${thoughts.join('\n')}` : '',
        'Write only the next sentence: a new fact from the passages with the number of its passage, like [2]. If the facts are enough, write: So the answer is: <answer>',
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
}

/** First sentence of a reply; undefined when it says nothing. */
export function readThought(reply: string): Thought | undefined {
  const line = sanitiseText(withoutThoughts(reply, 'removed'))
    .split('\n')
    .map((part) => part.replace(/^[\s>*-]*(?:next sentence|sentence|thought)\s*:\s*/iu, '').trim())
    .find(Boolean);
  if (line === undefined) return undefined;
  const arrived = afterArrival(line);
  const text = withoutMarks(line);
  const answer = arrived === undefined ? undefined : withoutTrailing(withoutMarks(arrived), /[.\s]/);
  return text === '' ? undefined : { text, numbers: citedNumbers(line), ...(answer && { answer }) };
}

/** What follows `so the answer is:` in a line that ends with no white space; undefined where nothing does. */
function afterArrival(line: string): string | undefined {
  const said = /\bthe answer is:?/iu.exec(line);
  const rest = said ? line.slice(said.index + said[0].length).trimStart() : '';
  if (rest !== '') return rest;
  return said?.[0].endsWith(':') ? ':' : undefined;
}
