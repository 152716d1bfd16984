/** What every cancelled call rejects with, whatever reason its signal was aborted for. */
export function abortError(): DOMException {
  return new DOMException('The call was cancelled.', 'AbortError');
}

/** @throws AbortError when the signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError();
}

/** True for a cancellation, as fetch, Node and this project raise it. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
