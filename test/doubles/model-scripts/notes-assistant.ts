import type { ChatMessage } from '../../../src/research/language-model/language-model.ts';
import type { RecordedCall } from '../scripted-language-model.ts';
import type { FakeReply, FakeRequest } from '../fake-openai-server.ts';
import { askedIn, numberOfFile, promptKind } from './prompt-kind.ts';

interface Fact {
  asked: RegExp;
  file: string;
  because: string;
  short: string;
}

/** What this model can find in examples/notes, if it is shown the file. */
const facts: readonly Fact[] = [
  {
    asked: /account with (halden cells|the maker)/i,
    file: 'halden-cells',
    because: 'Hamish Adeyemi keeps our account with Halden Cells',
    short: 'Hamish Adeyemi',
  },
  { asked: /extension/i, file: 'hamish-adeyemi', because: 'The extension of Hamish Adeyemi is 461', short: '461' },
];

/** A question on which the model begins to speak and never ends. */
export const endlessQuestion = 'Tell everything about the account with Halden Cells, word by word?';

/** A question to which the model sends no word at all. */
export const silentQuestion = 'Who keeps the silent account with Halden Cells?';

/** A question on which the model says one syllable over and over. */
export const nonsenseQuestion = 'Who keeps the noisy account with Halden Cells?';

/** The text of a model that knows examples/notes; undefined: it begins its answer and hangs. */
export function notesAssistant(messages: readonly ChatMessage[]): string | undefined {
  const call: RecordedCall = { messages, options: {}, prompt: messages.map(({ content }) => content).join('\n\n') };
  const kind = promptKind(call);
  const question = askedIn(call);
  const fact = facts.find(({ asked }) => asked.test(question));
  const number = fact && numberOfFile(call, fact.file);
  switch (kind) {
    case 'answer':
    case 'outline':
      if (question.includes('word by word')) return undefined;
      if (question === nonsenseQuestion) return 'ling '.repeat(400);
      return fact && number !== undefined
        ? `Because: ${fact.because} [${number}].\nAnswer: ${fact.short}`
        : 'Answer: none';
    case 'brief-answer':
      return fact && number !== undefined ? `Answer: ${fact.short} [${number}]` : 'Answer: none';
    case 'thought':
      return fact && number !== undefined && !call.prompt.includes('Reasoning so far')
        ? `${fact.because} [${number}].`
        : `So the answer is: ${fact?.short ?? 'none'}`;
    case 'closed-book':
      return 'Answer: none';
    case 'decompose':
      return JSON.stringify({ questions: [question] });
    case 'next-sub-question':
      return JSON.stringify({ question });
    case 'critique-node':
    case 'critique-answer':
      return JSON.stringify({ reason: 'It is what was asked.', verdict: 'keep' });
    case 'rewrite':
      return 'Which extension does Hamish Adeyemi have?';
    case 'judge':
    case 'judge-soft':
      return JSON.stringify({ reason: 'They agree.', plan: ['single-step'], settled: true });
    case 'affirmative':
    case 'negative':
    case 'fast':
    case 'slow':
    case 'fast-plan':
      return JSON.stringify({ reason: 'One note tells it.', plan: ['single-step'] });
    case 'repair-reply':
      return notesAssistant(messages.slice(0, -2));
  }
}

/** The same behind the OpenAI protocol. */
export function notesAssistantReply({ body }: FakeRequest): FakeReply {
  const text = notesAssistant(body['messages'] as ChatMessage[]);
  if (JSON.stringify(body['messages']).includes(silentQuestion)) return { kind: 'hang', after: '' };
  return text === undefined
    ? { kind: 'hang', after: 'Because: The account is kept by one of us.\nThere is much to tell about it.\n' }
    : { kind: 'stream', text, usage: { prompt_tokens: 900, completion_tokens: 30 } };
}
