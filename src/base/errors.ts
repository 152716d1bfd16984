import { redact, redactError } from './redact.ts';

/** What a button can do about an error. */
export const errorActions = [
  'choose-model',
  'set-key',
  'rebuild-index',
  'remove-emptied',
  'open-settings',
  'show-log',
  'retry',
  'open-folder',
  'manage-trust',
] as const;

/** An error as it crosses a process or a webview boundary: no stack, nothing private. */
export interface ErrorReport {
  /** Stable, kebab-case: `index-process-crashed`, `model-unreachable`. */
  code: string;
  /** What happened, to what, in one sentence. */
  message: string;
  /** What the user can do about it. */
  advice?: string;
  /** The one button that helps. */
  action?: (typeof errorActions)[number];
}

/**
 * Base of Hoptrail's own errors: every one can be reported. Keys are taken out of its words and out of what caused it:
 * servers echo what they were sent.
 */
export abstract class HoptrailError extends Error {
  abstract readonly code: string;
  readonly advice?: string;
  readonly action?: ErrorReport['action'];

  constructor(message: string, options: { cause?: unknown; advice?: string; action?: ErrorReport['action'] } = {}) {
    super(redact(message), options.cause === undefined ? undefined : { cause: redactError(options.cause) });
    this.name = new.target.name;
    this.advice = options.advice === undefined ? undefined : redact(options.advice);
    this.action = options.action;
  }
}

/** Reports any thrown value; unknown ones keep their message and get the code `internal`. */
export function reportError(error: unknown): ErrorReport {
  if (error instanceof HoptrailError) {
    const { code, message, advice, action } = error;
    return { code, message, advice, action };
  }
  return {
    code: 'internal',
    message: redact(error instanceof Error ? error.message : String(error)),
    action: 'show-log',
  };
}
