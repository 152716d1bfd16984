/** Lets timers, messages and I/O run before going on; rejects with AbortError when aborted meanwhile. */
export async function yieldToOthers(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => { setImmediate(resolve); });
  signal?.throwIfAborted();
}
