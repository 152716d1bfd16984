import type * as vscode from 'vscode';
import type { RunAction, ThreadTurn } from '../protocol.ts';
import type { ModelService } from '../model/model-service.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { Conversations } from '../threads/conversations.ts';
import type { ThreadStore } from '../threads/thread-store.ts';
import type { InsertedAnswers } from '../learned/inserted-answers.ts';
import type { LearningService } from '../learned/learning-service.ts';
import type { Completions } from './completions.ts';

/** What every panel works with; one set for the window. */
export interface PanelServices {
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
  sessions: SessionHolder;
  models: ModelService;
  conversations: Conversations;
  threads: ThreadStore;
  learning: LearningService;
  insertedAnswers: InsertedAnswers;
  completions: Completions;
  /** Up to three questions that have an answer here; empty while there is none. */
  suggestions(): Promise<string[]>;
  /** Somebody types or asks: what is done when nobody waits makes room. */
  busy(): void;
  now(): number;
  /** Resolves when it is done; what goes wrong is told there. */
  runAction(action: RunAction): Promise<void>;
  /** A hop or another passage was opened from a panel. */
  opened(turn: ThreadTurn, passageId: string): void;
}
