import type { FromWebview, Passage, RunAction, TextSpan, Without } from '#protocol';
import type { TurnView } from './panel-state.ts';
import type { CitedLines } from './passage/draw-lines.ts';

/** A passage, what is marked in it, and the lines that are meant; undefined: those with the marks. */
export interface HoverContent {
  passage: Passage;
  marks: readonly TextSpan[];
  cited?: CitedLines;
}

/** What the views may do: ask the extension, or change what is only the panel's. */
export interface PanelActions {
  post(message: FromWebview): void;
  /**
   * Asks from elsewhere than the input, unless a run is going on; the keyboard goes to the input, where Escape stops.
   */
  ask(question: string): void;
  /** Asks a run's question again at the same place, unless a run is going on; without what is named. */
  askAgain(runId: string, without?: Without): void;
  /** Asks in the place of a turn, unless a run is going on: at the same place, with the same history. */
  askInstead(turn: TurnView, question: string, asWritten: boolean): void;
  /** Opens a turn's question for editing, with this text in it. */
  editQuestion(runId: string, text: string, asWritten: boolean): void;
  endEditing(): void;
  /** Asks a run's question again with more effort, or with a debated plan, unless a run is going on. */
  thinkHarder(runId: string, debate: boolean): void;
  /** Stops a run whose model is silent, and has its question answered with quotes. */
  quoteInstead(runId: string): void;
  openHop(turn: TurnView, index: number, how: { toSide: boolean; preserveFocus?: boolean }): void;
  openCitation(turn: TurnView, number: number, toSide: boolean): void;
  toggleHop(key: string): void;
  toggleThreads(): void;
  searchThreads(query: string): void;
  openThread(threadId: string): void;
  deleteThread(threadId: string): void;
  renameThread(threadId: string): void;
  /** Puts the title back in place of its field; ended by a key, the keyboard stays in the row. */
  endRenaming(threadId: string, byKey: boolean): void;
  dismissError(): void;
  runAction(action: RunAction): void;
  showHover(target: HTMLElement, content: HoverContent): void;
  hideHover(): void;
  /** Marks a hop and the citations that mean it, or unmarks all. */
  highlight(runId: string, passageId: string | undefined): void;
}

/** What only the panel knows: nothing of it is worth telling the extension. */
export interface UiState {
  /** `runId:passageId` of hops that show their whole passage. */
  expandedHops: ReadonlySet<string>;
  /** Turns near enough to the viewport to be drawn in full. */
  near: ReadonlySet<string>;
  /** The list of threads stands in place of the thread. */
  threadsOpen: boolean;
  threadQuery: string;
  renaming?: string;
  /** The question that is being edited; `asWritten`: it stands alone, and is not to be rewritten again. */
  editing?: { runId: string; text: string; asWritten: boolean };
  /** The thread that was last deleted from the list: the new one in its place leaves the list open. */
  deleting?: string;
  /** Milliseconds since the epoch: for running clocks. */
  now: number;
}
