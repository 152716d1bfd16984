import { critiqueNodePrompt } from '../critique.ts';
import type { ChatMessage } from '../../language-model/language-model.ts';
import { closedBookPrompt } from '../chain-of-thought.ts';
import { answerPrompt } from './answer.ts';
import { decomposePrompt } from './decompose.ts';
import { nextStepPrompt, nextSubQuestionPrompt } from './next-sub-question.ts';
import { nextThoughtPrompt } from './next-thought.ts';

const nothing = { question: '', passages: [], known: [] };

/** Every prompt from which a run may teach, with nothing put in. */
const EMPTY: readonly ChatMessage[] = [
  ...(['brief', 'full', 'outline'] as const).flatMap((style) => answerPrompt({ ...nothing, style })),
  ...nextThoughtPrompt({ ...nothing, thoughts: [] }),
  ...closedBookPrompt('', []),
  ...closedBookPrompt('', [{ question: '', answer: '', numbers: [] }]),
  ...decomposePrompt(''),
  ...nextSubQuestionPrompt('', [], []),
  ...nextStepPrompt('', [], []),
  ...critiqueNodePrompt({ ...nothing, subQuestion: '', answer: '', evidence: '' }),
];
const OWN = new Set(EMPTY.flatMap(({ content }) => content.split('\n')));

/** The lines of a prompt that Hoptrail has not written itself: what came from people, files and models. */
export const foreignLines = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap(({ content }) => content.split('\n')).filter((line) => !OWN.has(line));
