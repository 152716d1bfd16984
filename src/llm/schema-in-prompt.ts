import type { ChatMessage, ReplySchema } from './language-model.ts';

/** Tells the model the form of its reply in words, for providers that cannot enforce a schema: at the end, where small models still see it. */
export function withSchemaInPrompt(messages: readonly ChatMessage[], schema: ReplySchema): ChatMessage[] {
  const note = `Reply with one JSON object only: no explanation, no code fence. It must fit this JSON schema:\n${JSON.stringify(schema.schema)}`;
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: note }];
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${note}` }];
}
