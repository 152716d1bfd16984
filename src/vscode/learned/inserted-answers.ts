import * as vscode from 'vscode';
import type { LearningService } from './learning-service.ts';
import type { QualitySigns } from '#learning';

/** Most inserted answers that are followed. The oldest is dropped for a new one. */
const MOST_FOLLOWED = 20;

/**
 * Follows answers that a person inserted into a document while it is open. When the document is saved, it looks how
 * much of the answer is left, which tells what the answer was worth. Nothing of the document is kept.
 */
export class InsertedAnswers implements vscode.Disposable {
  readonly #learning: LearningService;
  #followed: { document: vscode.TextDocument; text: string; runId: string }[] = [];
  readonly #disposables: vscode.Disposable[];

  constructor(learning: LearningService) {
    this.#learning = learning;
    this.#disposables = [
      vscode.workspace.onDidSaveTextDocument((document) => void this.#judge(document)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#followed = this.#followed.filter((one) => one.document !== document);
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

/** Share of a text's word triples that must still be there for it to count as changed, not as removed. */
const STILL_THERE = 0.5;

/**
 * What became of an answer in the document that it was put into: kept word by word (spaces do not count), changed, or
 * taken out again.
 */
export function whatBecameOf(inserted: string, document: string): NonNullable<QualitySigns['edit']> {
  const [before, now] = [wordsOf(inserted), wordsOf(document)];
  if (` ${now.join(' ')} `.includes(` ${before.join(' ')} `)) return 'kept';
  const left = new Set(triplesOf(now));
  const triples = triplesOf(before);
  return triples.filter((triple) => left.has(triple)).length >= STILL_THERE * triples.length && triples.length > 0
    ? 'changed'
    : 'removed';
}

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');
const triplesOf = (words: readonly string[]): string[] =>
  words.slice(0, Math.max(0, words.length - 2)).map((_, i) => words.slice(i, i + 3).join(' '));
