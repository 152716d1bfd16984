/** The error with which every cancelled call rejects, whatever the reason of its signal says. */
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

/**
 * Rejects with AbortError when the signal is aborted, even where what it waits for (other people's code, an index that
 * opens) does not listen.
 */
export async function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortError());
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
