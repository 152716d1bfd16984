import type { ChatMessage } from '../../../src/research/language-model/language-model.ts';
import type { FakeReply, FakeRequest } from '../fake-openai-server.ts';
import type { RecordedCall } from '../scripted-language-model.ts';
import { askedIn, numberOfFile, promptKind } from './prompt-kind.ts';
import { trailAssistant } from './trail-assistant.ts';

/** What it asks first: it answers from a passage that does not say so, and rejects that itself when it is asked to. */
export const wrongTurn = {
  question: 'Which hut was cut off in the silent weekend?',
  answer: 'Morrow Hut',
  file: 'silent-weekend',
  verdict: { reason: 'The passage speaks of five huts and names none of them.', verdict: 'irrelevant' },
};

/** What it asks next: no passage answers it. */
export const deadEnd = 'Who signs the guarantee of the cable car?';

/**
 * The trail's assistant, whose debate ends in RISE's loop, and who takes two wrong turns first: the critique rejects
 * both, the first by the model's word and the second by rule, and the step back goes on rightly.
 */
function wander(messages: readonly ChatMessage[]): string {
  const call: RecordedCall = { messages, options: {}, prompt: messages.map(({ content }) => content).join('\n\n') };
  const kind = promptKind(call);
  const said = trailAssistant(messages);
  const isFirst = askedIn(call) === wrongTurn.question;
  if (kind === 'next-step' && !call.prompt.includes('Mast Power')) {
    if (!call.prompt.includes(wrongTurn.question))
      return JSON.stringify({ enough: false, question: wrongTurn.question });
    if (!call.prompt.includes(deadEnd)) return JSON.stringify({ enough: false, question: deadEnd });
  }
  if (kind === 'read' && isFirst)
    return `It was ${wrongTurn.answer} [${numberOfFile(call, wrongTurn.file)}].\nShort: ${wrongTurn.answer}`;
  if (kind === 'critique-node' && call.prompt.includes(`Step: ${wrongTurn.question}\n`))
    return JSON.stringify(wrongTurn.verdict);
  const plans = ['affirmative', 'negative', 'fast', 'slow', 'judge', 'judge-soft', 'plan'];
  return plans.includes(kind) ? said.replace('"sub-step"', '"self-critical"') : said;
}

/** That model behind the OpenAI protocol. */
export const wanderingAssistantReply = ({ body }: FakeRequest): FakeReply => ({
  kind: 'stream',
  text: wander(body['messages'] as ChatMessage[]),
  usage: { prompt_tokens: 900, completion_tokens: 30 },
});
