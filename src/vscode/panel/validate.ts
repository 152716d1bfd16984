import { z } from 'zod';
import { errorActions } from '#base';
import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, MAX_SELECTION_LENGTH } from './message-limits.ts';

const id = z.string().min(1).max(200);
const path = z.string().min(1).max(4096);
const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('workspace') }),
  z.object({ kind: z.literal('folder'), path }),
  z.object({ kind: z.literal('files'), paths: z.array(path).min(1).max(MAX_SCOPE_FILES) }),
]);
/** Where the next question looks. */
export type Scope = z.infer<typeof scope>;

const selection = z.object({
  path,
  startLine: z.number().int().min(1),
  endLine: z.number().int().min(1),
  text: z.string().min(1).max(MAX_SELECTION_LENGTH),
  /** True: a symbol was chosen by its name, which is the text. */
  symbol: z.boolean().optional(),
});
/** Lines of a file, or a symbol, that a question is about: shown as a chip, and asked with it. */
export type Selection = z.infer<typeof selection>;

const without = z.object({ passageIds: z.array(id).max(1000), paths: z.array(path).max(MAX_SCOPE_FILES) });
/** What a run does not look at: single passages, and whole files. */
export type Without = z.infer<typeof without>;

const feedback = z.object({
  rating: z.enum(['up', 'down']).optional(),
  /** Passages marked as not belonging. */
  rejectedPassageIds: z.array(id).max(1000),
});
export type Feedback = z.infer<typeof feedback>;

const runAction = z.enum([...errorActions, 'toggle-indexing', 'show-report']);
/** What a button in the panel may make the extension do. */
export type RunAction = z.infer<typeof runAction>;

const line = z.number().int().min(1).optional();
const runId = { runId: id };
const threadId = { threadId: id };

const how = {
  /** As if this run and those after it had not been. */
  before: id.optional(),
  /** Without what was said before in the thread: the question is not rewritten. */
  asWritten: z.boolean().optional(),
  selection: selection.optional(),
  without: without.optional(),
};

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('ask'),
    question: z.string().trim().min(1).max(MAX_QUESTION_LENGTH),
    scope,
    ...how,
  }),
  /** Asks a run's question again, at the same place. */
  z.object({ type: z.literal('ask-again'), ...runId, without: without.optional() }),
  /** Asks a run's question again with more effort, or with a plan that is debated first. */
  z.object({ type: z.literal('think-harder'), ...runId, debate: z.boolean().optional() }),
  z.object({ type: z.literal('stop'), ...runId }),
  /** Stops a run whose model is silent, and answers its question with quotes. */
  z.object({ type: z.literal('quote-instead'), ...runId }),
  z.object({
    type: z.literal('open'),
    ...runId,
    passageId: id,
    startLine: line,
    endLine: line,
    toSide: z.boolean(),
    /** Keyboard focus stays in the panel. */
    preserveFocus: z.boolean().optional(),
  }),
  z.object({ type: z.literal('feedback'), ...runId, feedback }),
  z.object({ type: z.literal('new-thread') }),
  z.object({ type: z.literal('open-thread'), ...threadId }),
  z.object({ type: z.literal('rename-thread'), ...threadId, title: z.string().trim().min(1).max(200) }),
  z.object({ type: z.literal('delete-thread'), ...threadId }),
  z.object({ type: z.literal('list-threads'), query: z.string().max(500) }),
  z.object({ type: z.literal('copy'), ...runId }),
  z.object({ type: z.literal('export'), what: z.enum(['thread', 'tour']), ...runId }),
  z.object({ type: z.literal('insert-answer'), ...runId }),
  z.object({ type: z.literal('complete'), requestId: z.number().int(), prefix: z.string().max(500) }),
  /** The keyboard has come into the page, or has left it. */
  z.object({ type: z.literal('keyboard'), inside: z.boolean() }),
  /** Somebody begins to type a question. */
  z.object({ type: z.literal('typing') }),
  /** Opens the editor's own list of places to look. */
  z.object({ type: z.literal('pick-scope') }),
  z.object({
    type: z.literal('run-action'),
    action: runAction,
  }),
]);

export type FromWebview = z.infer<typeof message>;

/**
 * A message of the webview, checked: the webview shows untrusted text and is not trusted itself. undefined when it is
 * none.
 */
export function validateFromWebview(value: unknown): FromWebview | undefined {
  const result = message.safeParse(value);
  return result.success ? result.data : undefined;
}
