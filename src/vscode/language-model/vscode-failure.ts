import { HoptrailError } from '../../model/error-report.ts';
import { BadRequestError, ConsentError, ContextTooLongError, NoModelError, QuotaError, RefusedError, UnreachableError } from '../../llm/errors.ts';
import type { Failure } from '../../llm/retry.ts';

const QUOTA = /quota|allowance|premium requests|usage limit|billing/i;
const RATE = /rate.?limit|too many requests|\b429\b|throttl/i;
const TOO_LONG = /context (?:length|window)|too (?:long|many tokens)|token limit/i;
const OFFLINE = /network|fetch failed|ECONN|ENOTFOUND|ETIMEDOUT|socket|\b50[0-4]\b|offline|unavailable/i;
const FILTERED = /content filter|responsible ai|off.?topic|filtered/i;

/**
 * Typed error for what `vscode.lm` threw. `LanguageModelError` has only three codes of its own (NoPermissions, Blocked,
 * NotFound); what a provider means beyond them stands in the messages along the chain of causes.
 */
export function judgeVscodeFailure(error: unknown, model: string): Failure {
  if (error instanceof HoptrailError) return { error, retry: false };
  const code = (error as { code?: unknown } | undefined)?.code;
  const said = messagesOf(error);
  if (code === 'NoPermissions') return { error: new ConsentError(model, { cause: error }), retry: false };
  if (code === 'NotFound') return { error: new NoModelError(`${model} is no longer offered in this editor.`, { cause: error }), retry: false };
  if (QUOTA.test(said)) return { error: new QuotaError(model, { cause: error, spent: true }), retry: false };
  if (RATE.test(said)) return { error: new QuotaError(model, { cause: error }), retry: true };
  if (TOO_LONG.test(said) || /\btokens/i.test(said.slice(said.search(/exceeds?\b|$/i)))) return { error: new ContextTooLongError(model, { cause: error }), retry: false };
  // "Blocked" stands for both "too many requests" and "not this content"; the first was told by its words above.
  if (code === 'Blocked' || FILTERED.test(said)) return { error: new RefusedError(model, said, { cause: error }), retry: false };
  if (OFFLINE.test(said)) return { error: new UnreachableError(`${model} cannot be reached: ${said}`, { cause: error, advice: 'Check the network and the extension that offers this model.' }), retry: true };
  return { error: new BadRequestError(model, said, { cause: error }), retry: false };
}

function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error && messages.length < 5; at = at.cause) {
    if (at.message && !messages.includes(at.message)) messages.push(at.message);
  }
  return (messages.join(': ') || String(error)).slice(0, 300);
}
