import { cutTo } from '#base';
import { z } from 'zod';
import { addUsage, complete } from './complete.ts';
import { BadReplyError, EmptyReplyError } from './errors.ts';
import type {
  ChatMessage,
  Completion,
  CompletionOptions,
  LanguageModel,
  ReplySchema,
  TokenUsage,
} from './language-model.ts';
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

export interface StructuredReply<T> {
  value: T;
  /** The reply that was used, as it came. */
  text: string;
  usage: TokenUsage;
  calls: number;
  repaired: boolean;
}

export interface StructuredRequest<T> {
  messages: readonly ChatMessage[];
  name: string;
  schema: z.ZodType<T>;
  options?: CompletionOptions;
}

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
  let asked = messages;
  let usage: TokenUsage | undefined;
  for (let calls = 1; ; calls += 1) {
    let cause: EmptyReplyError | undefined;
    const reply: Completion = await call(model, asked, { ...options, schema: replySchema }).catch((error: unknown) => {
      if (!(error instanceof EmptyReplyError)) throw error;
      cause = error;
      return { text: '', usage: error.usage };
    });
    usage = usage ? addUsage(usage, reply.usage) : reply.usage;
    const { text } = reply;
    const reading = readStructured(reply, schema);
    if (reading.ok) return { value: reading.value, text, usage, calls, repaired: calls > 1 };
    const problem = cause ? 'it said nothing.' : reading.problem;
    // Silence is told once, like any other fault.
    if (calls > 1 || (cause && cause.why !== 'silent'))
      throw new BadReplyError(model.name, name, { reply: text, problem, usage, calls, cause });
    asked = repairMessages(messages, reply, reading.problem);
  }
}

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
