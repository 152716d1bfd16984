import type { ChatMessage } from '../../../src/research/language-model/language-model.ts';
import type { RecordedCall } from '../scripted-language-model.ts';
import type { FakeReply, FakeRequest } from '../fake-openai-server.ts';
import { askedIn, type Fact, promptKind, readBy } from './prompt-kind.ts';

/** What this model can find in examples/notes, if it is shown the file. */
const facts: readonly Fact[] = [
  {
    asked: /account with (halden cells|the maker)/i,
    file: 'halden-cells',
    line: 12,
    because: 'Hamish Adeyemi keeps our account with Halden Cells',
    short: 'Hamish Adeyemi',
  },
  {
    asked: /extension/i,
    file: 'hamish-adeyemi',
    line: 13,
    because: 'The extension of Hamish Adeyemi is 461',
    short: '461',
  },
];

/** A question on which the model begins to speak and never ends. */
export const endlessQuestion = 'Tell everything about the account with Halden Cells, word by word?';

/** A question to which the model sends no word at all. */
export const silentQuestion = 'Who keeps the silent account with Halden Cells?';

/** A question on which the model says one syllable over and over. */
export const nonsenseQuestion = 'Who keeps the noisy account with Halden Cells?';

const callOf = (messages: readonly ChatMessage[]): RecordedCall => ({
  messages,
  options: {},
  prompt: messages.map(({ content }) => content).join('\n\n'),
});

/** The text of a model that knows examples/notes; undefined: it begins its answer and hangs. */
export function notesAssistant(messages: readonly ChatMessage[]): string | undefined {
  const call = callOf(messages);
  const question = askedIn(call);
  const fact = facts.find(({ asked }) => asked.test(question));
  switch (promptKind(call)) {
    case 'read':
      if (question.includes('word by word')) return undefined;
      if (question === nonsenseQuestion) return 'ling '.repeat(400);
      return readBy(call, fact ? [fact] : []);
    case 'memory':
      return 'Short: none';
    case 'decompose':
      return JSON.stringify({ subQuestions: [question] });
    case 'next-step':
      return JSON.stringify({ enough: false, question });
    case 'critique-node':
    case 'critique-answer':
      return JSON.stringify({ reason: 'It is what was asked.', verdict: 'keep', confirmed: [] });
    case 'classify':
      return JSON.stringify({ clue: 'who keeps', type: 'lookup' });
    case 'rewrite':
      return JSON.stringify({ question: question.replace(/\bhe\b/, 'Hamish Adeyemi') });
    case 'affirmative':
    case 'negative':
    case 'fast':
    case 'slow':
    case 'plan':
    case 'judge':
    case 'judge-soft':
      return JSON.stringify({ reason: 'One note tells it.', plan: ['single-step'], settled: true });
    case 'repair-reply':
      return notesAssistant(messages.slice(0, -2));
  }
}

/** The same behind the OpenAI protocol. */
export function notesAssistantReply({ body }: FakeRequest): FakeReply {
  const messages = body['messages'] as ChatMessage[];
  const text = notesAssistant(messages);
  if (askedIn(callOf(messages)) === silentQuestion) return { kind: 'hang', after: '' };
  return text === undefined
    ? { kind: 'hang', after: 'The account is kept by one of us.\nThere is much to tell about it.\nIt begins' }
    : { kind: 'stream', text, usage: { prompt_tokens: 900, completion_tokens: 30 } };
}
