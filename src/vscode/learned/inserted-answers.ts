import * as vscode from 'vscode';
import type { LearningService } from './learning-service.ts';
import { whatBecameOf } from './what-became-of.ts';

/** Most inserted answers that are followed. The oldest is dropped for a new one. */
const MOST_FOLLOWED = 20;

/**
 * Follows answers that a person inserted into a document while it is open. When the document is saved, it looks how
 * much of the answer is left, which tells what the answer was worth. Nothing of the document is kept.
 */
export class InsertedAnswers implements vscode.Disposable {
  readonly #learning: LearningService;
  readonly #followed: { document: vscode.TextDocument; text: string; runId: string }[] = [];
  readonly #disposables: vscode.Disposable[];

  constructor(learning: LearningService) {
    this.#learning = learning;
    this.#disposables = [
      vscode.workspace.onDidSaveTextDocument((document) => void this.#judge(document)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        for (let i = this.#followed.length - 1; i >= 0; i--)
          if (this.#followed[i]?.document === document) this.#followed.splice(i, 1);
      }),
    ];
  }

  follow(document: vscode.TextDocument, text: string, runId: string): void {
    this.#followed.push({ document, text, runId });
    if (this.#followed.length > MOST_FOLLOWED) this.#followed.shift();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #judge(document: vscode.TextDocument): Promise<void> {
    for (const { text, runId } of this.#followed.filter((one) => one.document === document))
      await this.#learning.edited(runId, whatBecameOf(text, document.getText()));
  }
}
