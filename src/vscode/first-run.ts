import type * as vscode from 'vscode';
import { workspaceRoots } from './index/workspace-roots.ts';
import type { SessionHolder } from './session-holder.ts';

export interface FirstRunPorts {
  memory: Pick<vscode.Memento, 'get' | 'update'>;
  sessions: Pick<SessionHolder, 'onState'>;
  /** The panel is seen somewhere. */
  onPanelShown: vscode.Event<void>;
  /** Opens the panel and leaves the keyboard where it is. */
  open(): Promise<void>;
}

/** Kept once the panel was opened, in whichever window. */
const OPENED = 'invited';

/** Opens the panel once after installation, as soon as the folder can be asked about. */
export class FirstRun implements vscode.Disposable {
  readonly #ports: FirstRunPorts;
  readonly #disposables: vscode.Disposable[] = [];

  constructor(ports: FirstRunPorts) {
    this.#ports = ports;
    if (ports.memory.get<boolean>(OPENED)) return;
    this.#disposables.push(
      ports.onPanelShown(() => this.#opened()),
      ports.sessions.onState(({ phase, coverage }) => {
        if ((phase === 'embedding' || phase === 'ready') && coverage.passages > 0) void this.#open();
      }),
    );
  }

  /** The folder is indexed only when something is asked (`hoptrail.indexing`: `manual`). */
  openUnread(): void {
    if (workspaceRoots().length > 0) void this.#open();
  }

  dispose(): void {
    for (const disposable of this.#disposables.splice(0)) disposable.dispose();
  }

  async #open(): Promise<void> {
    if (this.#ports.memory.get<boolean>(OPENED)) return;
    this.#opened();
    await this.#ports.open();
  }

  #opened(): void {
    void this.#ports.memory.update(OPENED, true);
    this.dispose();
  }
}
