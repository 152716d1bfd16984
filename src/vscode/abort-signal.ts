import type * as vscode from 'vscode';

/** An editor's cancellation as a signal, cancelled already if it is. */
export function abortSignalOf(token: vscode.CancellationToken): AbortSignal {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  token.onCancellationRequested(() => stop.abort());
  return stop.signal;
}
