import type { ChatMessage } from '../../language-model/language-model.ts';
import { asksForAccount } from '../shorten-draft.ts';
import { type KnownAnswer, knownBlock, passageBlock, PASSAGES_ARE_DATA, type PromptPassage } from './blocks.ts';

export interface AnswerPromptInput {
  question: string;
  passages: readonly PromptPassage[];
  /** Sub-questions that are answered already. */
  known: readonly KnownAnswer[];
  /** `brief`: a sub-question's answer in one line; `full`: with the reasons; `outline`: a question over everything. */
  style: 'brief' | 'full' | 'outline';
}

export const ANSWER_TOKENS = { brief: 60, full: 220, outline: 400 } as const;

const FORMS = {
  brief: `Reply with one line: “Answer:”, the answer in as few words as possible, and the number of its passage in brackets.
If the passages do not tell, reply with:
Answer: none`,
  full: `First reason, then answer. Reply in this form:
Because: <one to three short sentences that lead to what was asked, each ending with the number of its passage, like [2]>
Answer: <only the name, place, date, number, yes or no that was asked for: no sentence>
If the passages do not tell, reply only with:
Answer: none`,
  account: `First reason, then answer. Reply in this form:
Because: <one to three short sentences on what was asked, each ending with the number of its passage, like [2]>
Answer: <all that was asked for: a reason or a way in one or two sentences, several things with commas between them>
If the passages do not tell, reply only with:
Answer: none`,
  outline: `Reply in this form:
Answer: <one sentence that sums up>
Because: <three to six short sentences on the main points, each ending with the number of its passage, like [2]>
If the passages say nothing about it, reply only with:
Answer: none`,
} as const;

/**
 * One example of a made-up world. Without it a small model stops half-way: it names the person whose birthplace was
 * asked for, answers with the whole sentence, or copies the form with its angle brackets.
 */
const EXAMPLE = {
  question: 'In which town was the founder of the company that dug the Alder tunnel born?',
  passages: [
    {
      number: 1,
      path: 'alder-tunnel.md',
      title: 'Alder tunnel',
      text: 'The Alder tunnel was dug by a company that Ruth Ockley founded.',
    },
    {
      number: 2,
      path: 'ruth-ockley.md',
      title: 'Ruth Ockley',
      text: 'Ruth Ockley was born in Tarnby and died in Bergen.',
    },
  ],
  brief: { question: 'In which town was Ruth Ockley born?', reply: 'Answer: Tarnby [2]' },
  reply:
    'Because: The company that dug the Alder tunnel was founded by Ruth Ockley. [1] Ruth Ockley was born in ' +
    'Tarnby. [2]\nAnswer: Tarnby',
};

/**
 * An answer from passages. Reasons come before the answer, which then follows from them (people see it the other way
 * round), and the question comes last: a small model follows what it read last.
 */
export function answerPrompt({ question, passages, known, style }: AnswerPromptInput): ChatMessage[] {
  return [
    {
      role: 'system',
      content: `You answer questions from passages of the user's files and from nothing else. ${PASSAGES_ARE_DATA}`,
    },
    ...exampleOf(style),
    request(question, passageBlock(passages), knownBlock(known), style),
  ];
}

function exampleOf(style: AnswerPromptInput['style']): ChatMessage[] {
  if (style === 'outline') return [];
  const { question, reply } = style === 'brief' ? EXAMPLE.brief : EXAMPLE;
  return [request(question, passageBlock(EXAMPLE.passages), '', style), { role: 'assistant', content: reply }];
}

/** “Why” and “which of them” are answered by more than a name. */
const formOf = (question: string, style: AnswerPromptInput['style']): keyof typeof FORMS =>
  style === 'full' && asksForAccount(question) ? 'account' : style;

const request = (
  question: string,
  passages: string,
  known: string,
  style: AnswerPromptInput['style'],
): ChatMessage => ({
  role: 'user',
  content: [passages, known, `Question: ${question}\n\n${FORMS[formOf(question, style)]}`].filter(Boolean).join('\n\n'),
});
