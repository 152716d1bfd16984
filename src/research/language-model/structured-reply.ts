import { cutTo } from '#base';
import type {
  ChatMessage,
  Completion,
  LanguageModel,
  ReplySchema,
  StructuredReply,
  StructuredRequest,
  TokenUsage,
} from './language-model.ts';
import { z } from 'zod';
import { addUsage, complete } from './complete.ts';
import { BadReplyError, EmptyReplyError } from './errors.ts';
import { jsonCandidates } from './lenient-json.ts';
import { withoutThoughts } from './thoughts.ts';

/** For providers that cannot enforce a schema: the form stands at the end, where small models still see it. */
export function withSchemaInPrompt(messages: readonly ChatMessage[], schema: ReplySchema): ChatMessage[] {
  const note =
    `Reply with one JSON object only: no explanation, no code fence. It must fit this JSON ` +
    `schema:\n${JSON.stringify(schema.schema)}`;
  return withNote(messages, note);
}

/** The messages with a note at their end, in the user's last one where that is the last. */
export function withNote(messages: readonly ChatMessage[], note: string): ChatMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: note }];
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${note}` }];
}

/** Characters of a failed reply, and of what is wrong with it, that the model is shown. */
const SHOWN_REPLY = 1500;
const SHOWN_PROBLEM = 2000;

type Reading<T> = { ok: true; value: T } | { ok: false; problem: string };

/**
 * Asks for a reply of a given form, read tolerantly; one that fails is shown to the model once with its fault. The
 * messages should describe the form too: a provider that enforces a schema need not show it to the model.
 * @param call Makes each request, for callers that count them.
 * @throws BadReplyError when the second reply fails too, or either holds only thoughts; the model's errors; AbortError
 */
export async function requestStructured<T>(
  model: LanguageModel,
  request: StructuredRequest<T>,
  call: typeof complete = complete,
): Promise<StructuredReply<T>> {
  const { messages, name, schema, options = {} } = request;
  const replySchema: ReplySchema = { name, schema: jsonSchemaOf(schema) };
  const said = async (asked: readonly ChatMessage[], calls: number, before?: TokenUsage): Promise<Completion> => {
    try {
      return await call(model, asked, { ...options, schema: replySchema });
    } catch (error) {
      if (!(error instanceof EmptyReplyError)) throw error;
      if (error.why === 'silent' && calls === 1) return { text: '', usage: error.usage }; // it is told so, once
      const usage = before ? addUsage(before, error.usage) : error.usage;
      throw new BadReplyError(model.name, name, { reply: '', problem: 'it said nothing.', usage, calls, cause: error });
    }
  };
  const first = await said(messages, 1);
  const reading = readStructured(first, schema);
  if (reading.ok) return { value: reading.value, text: first.text, usage: first.usage, calls: 1, repaired: false };
  const second = await said(repairMessages(messages, first, reading.problem), 2, first.usage);
  const usage = addUsage(first.usage, second.usage);
  const repaired = readStructured(second, schema);
  if (repaired.ok) return { value: repaired.value, text: second.text, usage, calls: 2, repaired: true };
  throw new BadReplyError(model.name, name, { reply: second.text, problem: repaired.problem, usage, calls: 2 });
}

/** JSON schema of a reply, as providers take it. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' });
  return rest;
}

/** The first value that the schema accepts; else what is wrong with the likeliest, for the model. */
export function readStructured<T>(reply: Pick<Completion, 'text' | 'truncated'>, schema: z.ZodType<T>): Reading<T> {
  let problem: string | undefined;
  for (const candidate of jsonCandidates(reply.text)) {
    const checked = schema.safeParse(candidate);
    if (checked.success) return { ok: true, value: checked.data };
    problem ??= cutTo(z.prettifyError(checked.error), SHOWN_PROBLEM);
  }
  problem ??= reply.text.trim() === '' ? 'The reply was empty.' : 'The reply holds no JSON.';
  return {
    ok: false,
    problem: reply.truncated ? `${problem} The reply was cut at its length limit: be shorter.` : problem,
  };
}

export function repairMessages(
  messages: readonly ChatMessage[],
  reply: Pick<Completion, 'text'>,
  problem: string,
): ChatMessage[] {
  const said = withoutThoughts(reply.text, 'removed').trim();
  const shown = said.length > SHOWN_REPLY ? `${cutTo(said, SHOWN_REPLY)} […]` : said;
  return [
    ...messages,
    { role: 'assistant', content: shown === '' ? '(empty)' : shown },
    {
      role: 'user',
      content:
        `That reply could not be used:\n${problem}\n\nAnswer the same request again with the corrected JSON ` +
        `only: no explanation, no code fence, nothing before or after it.`,
    },
  ];
}
