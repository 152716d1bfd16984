import { z } from 'zod';
import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, type FromLearningPage, type FromWebview } from '../protocol.ts';

const id = z.string().min(1).max(200);
const path = z.string().min(1).max(4096);
const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('workspace') }),
  z.object({ kind: z.literal('folder'), path }),
  z.object({ kind: z.literal('files'), paths: z.array(path).min(1).max(MAX_SCOPE_FILES) }),
]);
const feedback = z.object({ rating: z.enum(['up', 'down']).optional(), rejectedPassageIds: z.array(id).max(1000) });
const line = z.number().int().min(1).optional();
const runId = { runId: id };
const threadId = { threadId: id };

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('ask'), question: z.string().trim().min(1).max(MAX_QUESTION_LENGTH), scope }),
  z.object({ type: z.literal('think-harder'), ...runId }),
  z.object({ type: z.literal('stop'), ...runId }),
  z.object({
    type: z.literal('open'),
    ...runId,
    passageId: id,
    startLine: line,
    endLine: line,
    toSide: z.boolean(),
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
  z.object({ type: z.literal('pick-scope') }),
  z.object({
    type: z.literal('run-action'),
    action: z.enum([
      'choose-model',
      'set-key',
      'rebuild-index',
      'remove-emptied',
      'open-settings',
      'show-log',
      'retry',
      'open-folder',
      'manage-trust',
      'pause-index',
      'resume-index',
      'show-report',
    ]),
  }),
]);

/**
 * A message of the webview, checked: the webview shows untrusted text and is not trusted itself. undefined when it is
 * none.
 */
export function validateFromWebview(value: unknown): FromWebview | undefined {
  const result = message.safeParse(value);
  return result.success ? result.data : undefined;
}

const learningMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('export') }),
  z.object({ type: z.literal('fine-tune') }),
  z.object({ type: z.literal('delete') }),
  z.object({ type: z.literal('settings') }),
]);

/** A message of the learning page, checked; undefined when it is none. */
export function validateFromLearningPage(value: unknown): FromLearningPage | undefined {
  const result = learningMessage.safeParse(value);
  return result.success ? result.data : undefined;
}
