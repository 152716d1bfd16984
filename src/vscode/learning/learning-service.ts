import * as vscode from 'vscode';
import { reportError } from '../../model/error-report.ts';
import { openLearning, type Learning } from '../../reasoning/open-learning.ts';
import type { Feedback, LearningReport, ThreadTurn } from '../../protocol.ts';
import { currentSettings } from '../settings/configuration.ts';
import { feedbackExample, type FeedbackStore } from '../threads/feedback-store.ts';
import { learningReport } from './learning-report.ts';

/** What runs and people teach: kept in the editor's storage, for all workspaces of this user, and shown, exported and deleted from here. */
export class LearningService implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #feedback: FeedbackStore;
  readonly #changed = new vscode.EventEmitter<void>();
  #learning: Learning | undefined;

  /** A judgement was given, or everything was deleted. */
  readonly onDidChange = this.#changed.event;

  /** `feedback`: judgements on answers in this workspace. */
  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, feedback: FeedbackStore) {
    this.#context = context;
    this.#log = log;
    this.#feedback = feedback;
  }

  /** One for the window; nothing is read before it is needed. */
  open(): Learning {
    this.#learning ??= openLearning({
      folder: vscode.Uri.joinPath(this.#context.globalStorageUri, 'learning').fsPath,
      modelsDir: vscode.Uri.joinPath(this.#context.extensionUri, 'models').fsPath,
      now: Date.now,
      onProblem: (error) => this.#log.warn(`Learning goes on without it: ${reportError(error).message}`),
    });
    return this.#learning;
  }

  /** A person's word about an answer and its passages. */
  async judge(turn: ThreadTurn, feedback: Feedback): Promise<void> {
    await this.#feedback.add(feedbackExample(turn, feedback, Date.now()));
    const learning = this.open();
    await learning.feedback(turn.runId, feedback.rating);
    learning.rejectPassages(turn.runId, feedback.rejectedPassageIds);
    await learning.settled();
    this.#changed.fire();
  }

  /** The answer of this run did not do: it is asked for again. */
  async thinkHarder(runId: string): Promise<void> {
    await this.open().thinkHarder(runId);
    this.#changed.fire();
  }

  async report(): Promise<LearningReport> {
    const { research } = currentSettings();
    const learning = this.open();
    const [learnt, judgements, round] = await Promise.all([learning.report(), this.#feedback.list(), learning.rounds.current()]);
    return learningReport({ enabled: research.record !== false, strategy: (research.strategy ?? 'auto').replace(/^fixed:/, ''), learnt, judgements, round });
  }

  /** Every example as JSON lines: oldest first, then the judgements of this workspace. */
  async export(): Promise<string> {
    const judgements = (await this.#feedback.list()).map((judgement) => `${JSON.stringify({ kind: 'judgement', ...judgement })}\n`);
    return (await this.open().export()) + judgements.join('');
  }

  /** Forgets what was learnt from this user, and the judgements of this workspace. */
  async deleteEverything(): Promise<void> {
    const learning = this.open();
    await learning.settled();
    await learning.reset();
    await this.#feedback.clear();
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
