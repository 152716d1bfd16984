import * as vscode from 'vscode';

/** An editor's cancellation as a signal, cancelled already if it is. */
export function abortSignalOf(token: vscode.CancellationToken): AbortSignal {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  token.onCancellationRequested(() => stop.abort());
  return stop.signal;
}

/** Works under a notification that tells how far it is, and can cancel it. */
export async function underNotification<T>(
  title: string,
  work: (signal: AbortSignal, tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => work(abortSignalOf(token), (message) => progress.report({ message })),
  );
}
