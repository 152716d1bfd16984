import type * as vscode from 'vscode';

/**
 * Shows a list until something of it is accepted; undefined when it is left.
 * @param chosen What is accepted; undefined: the list stays open.
 */
export function accepted<Item extends vscode.QuickPickItem, T>(
  pick: vscode.QuickPick<Item>,
  chosen: () => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const value = chosen();
      if (value === undefined) return;
      resolve(value);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined); // has no effect after an accepted choice
      pick.dispose();
    });
    pick.show();
  });
}
