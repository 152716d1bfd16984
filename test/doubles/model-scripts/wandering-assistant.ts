import type { ChatMessage } from '../../../src/research/language-model/language-model.ts';
import type { FakeReply, FakeRequest } from '../fake-openai-server.ts';
import { promptKind } from './prompt-kind.ts';
import { trailAssistant } from './trail-assistant.ts';

/** What it asks first, which leads nowhere. */
export const wrongTurn = 'Who signs the guarantee of the cable car?';

/**
 * The trail's assistant, whose debate ends in RISE's loop, and who takes a wrong turn first: no passage answers it, the
 * critique rejects it, and the step back goes on rightly.
 */
function wander(messages: readonly ChatMessage[]): string {
  const prompt = messages.map(({ content }) => content).join('\n\n');
  const kind = promptKind({ messages, options: {}, prompt });
  const said = trailAssistant(messages);
  if (kind === 'next-step' && !prompt.includes('These led nowhere') && !prompt.includes('Mast Power'))
    return JSON.stringify({ enough: false, question: wrongTurn });
  const plans = ['affirmative', 'negative', 'fast', 'slow', 'judge', 'judge-soft', 'fast-plan', 'repair-plan'];
  return plans.includes(kind) ? said.replace('"sub-step"', '"self-critical"') : said;
}

/** That model behind the OpenAI protocol. */
export const wanderingAssistantReply = ({ body }: FakeRequest): FakeReply => ({
  kind: 'stream',
  text: wander(body['messages'] as ChatMessage[]),
  usage: { prompt_tokens: 900, completion_tokens: 30 },
});
