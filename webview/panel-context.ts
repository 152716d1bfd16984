import type { FromWebview, Hop, RunAction } from '../src/protocol.ts';
import type { TurnView } from './panel-state.ts';

/** What the views may do: ask the extension, or change what is only the panel's. */
export interface PanelActions {
  post(message: FromWebview): void;
  ask(question: string): void;
  /** Asks a run's question again with more effort, unless a run is going on. */
  thinkHarder(runId: string): void;
  openHop(turn: TurnView, index: number, how: { toSide: boolean; preserveFocus?: boolean }): void;
  openCitation(turn: TurnView, number: number, toSide: boolean): void;
  toggleHop(key: string): void;
  toggleThreads(): void;
  searchThreads(query: string): void;
  /** null ends the renaming without a change. */
  renameThread(threadId: string | null): void;
  runAction(action: RunAction): void;
  showHover(target: HTMLElement, hop: Hop): void;
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
  renaming?: string;
  threadQuery: string;
  /** Milliseconds since the epoch: for running clocks. */
  now: number;
}
