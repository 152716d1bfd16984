import type { ChatMessage } from '../../../src/research/language-model/language-model.ts';
import type { FakeReply, FakeRequest } from '../fake-openai-server.ts';
import type { RecordedCall } from '../scripted-language-model.ts';
import { askedIn, type Fact, promptKind, readBy } from './prompt-kind.ts';

/** The trail of the demo's question through examples/notes, one fact a hop. */
const facts: readonly Fact[] = [
  {
    asked: /extension/i,
    file: 'hamish-adeyemi',
    because: 'The extension of Hamish Adeyemi is 461',
    short: '461',
  },
  {
    asked: /keeps our account/i,
    file: 'halden-cells',
    because: 'Hamish Adeyemi keeps our account with Halden Cells, and claims go through him',
    short: 'Hamish Adeyemi',
  },
  {
    asked: /makes the batteries/i,
    file: 'mast-power',
    because: 'The batteries of Mast Power are made by Halden Cells',
    short: 'Halden Cells',
  },
  {
    asked: /silent weekend/i,
    file: 'silent-weekend',
    because: 'The pack in the Mast Power cabinet shut itself off when the batteries froze',
    short: 'Mast Power',
  },
];

const subQuestions = [
  'Which system held the batteries that froze in the silent weekend?',
  'Who makes the batteries of #1?',
  'Who keeps our account with #2?',
  'Which extension does #3 have?',
];

const plan = (reason: string, ...operators: string[]): string =>
  JSON.stringify({
    type: 'inference',
    reason,
    plan: operators,
    subQuestions,
    queries: ['batteries froze silent weekend'],
  });

/** What a model says that reads well and splits well; its debate ends in the first round. */
export function trailAssistant(messages: readonly ChatMessage[]): string {
  const call: RecordedCall = { messages, options: {}, prompt: messages.map(({ content }) => content).join('\n\n') };
  const question = askedIn(call);
  const fact = facts.find(({ asked }) => asked.test(question));
  const isWhole = /extension/iu.test(question) && !/Hamish/u.test(question);
  switch (promptKind(call)) {
    case 'decompose':
      return JSON.stringify({ subQuestions });
    case 'read':
      return readBy(call, isWhole ? [...facts].reverse() : fact ? [fact] : []);
    case 'memory':
      return 'Short: none';
    case 'next-step': {
      const known = call.messages.at(-1)?.content ?? '';
      const walked = [...facts].reverse();
      const next = walked.findIndex(({ short }) => !known.includes(short));
      const asked = subQuestions[next]?.replace(/#(\d)/u, (_, step: string) => walked[Number(step) - 1]?.short ?? '');
      return JSON.stringify({ enough: next < 0, question: asked ?? '' });
    }
    case 'critique-node':
    case 'critique-answer':
      return JSON.stringify({ reason: 'Each step is said by its lines.', verdict: 'keep', confirmed: [] });
    case 'classify':
      return JSON.stringify({ clue: 'the batteries that froze', type: 'inference' });
    case 'rewrite':
      return JSON.stringify({ question: 'Who keeps our account with Halden Cells?' });
    case 'affirmative':
      return plan('One look may find the note with the extension.', 'single-step');
    case 'negative':
      return plan('The question names no person: the incident, the system and the supplier come first.', 'sub-step');
    case 'fast':
      return plan('The second plan follows the links.', 'sub-step');
    case 'slow':
      return plan('Four notes lead to one another: one sub-question each.', 'sub-step');
    case 'plan':
      return plan('Four notes lead to one another.', 'sub-step');
    case 'judge':
    case 'judge-soft':
      return JSON.stringify({
        reason: 'They agree on sub-questions.',
        plan: ['sub-step'],
        subQuestions,
        settled: true,
      });
    case 'repair-reply':
      return trailAssistant(messages.slice(0, -2));
  }
}

/** That model behind the OpenAI protocol. */
export const trailAssistantReply = ({ body }: FakeRequest): FakeReply => ({
  kind: 'stream',
  text: trailAssistant(body['messages'] as ChatMessage[]),
  usage: { prompt_tokens: 900, completion_tokens: 30 },
});
