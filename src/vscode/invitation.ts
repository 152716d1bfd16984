import * as vscode from 'vscode';
import type { SessionHolder } from './session-holder.ts';

export interface InvitationPorts {
  memory: Pick<vscode.Memento, 'get' | 'update'>;
  sessions: Pick<SessionHolder, 'onState'>;
  /** Shows a number on Hoptrail's icon; undefined takes it away. */
  showBadge(badge: vscode.ViewBadge | undefined): void;
  onPanelShown: vscode.Event<void>;
  ask(): Promise<void>;
}

const KEY = 'invited';

/**
 * Says once, after installation, that this folder can be asked about: with one notification, as soon as that is true,
 * and a number on the icon until the panel is opened. Who opens the panel unasked needs no invitation.
 */
export class Invitation implements vscode.Disposable {
  readonly #ports: InvitationPorts;
  readonly #disposables: vscode.Disposable[] = [];

  constructor(ports: InvitationPorts) {
    this.#ports = ports;
    if (ports.memory.get<boolean>(KEY)) return;
    this.#disposables.push(
      ports.onPanelShown(() => this.#accepted()),
      ports.sessions.onState((state) => {
        const searchable = state.phase === 'embedding' || state.phase === 'ready' || state.phase === 'read-only';
        if (searchable && state.coverage.passages > 0 && !ports.memory.get<boolean>(KEY)) void this.#invite();
      }),
    );
  }

  dispose(): void {
    for (const disposable of this.#disposables.splice(0)) disposable.dispose();
  }

  async #invite(): Promise<void> {
    const { l10n, window, workspace, commands } = vscode;
    void this.#ports.memory.update(KEY, true);
    const name = workspace.name ?? workspace.workspaceFolders?.[0]?.name ?? '';
    this.#ports.showBadge({ value: 1, tooltip: l10n.t('{0} can be asked about', name) });
    const ask = l10n.t('Ask');
    const start = l10n.t('Get Started');
    const chosen = await window.showInformationMessage(
      l10n.t('{0} is read: ask what no single file of it answers.', name),
      ask,
      start,
    );
    if (chosen === ask) await this.#ports.ask();
    if (chosen === start)
      await commands.executeCommand('workbench.action.openWalkthrough', 'hoptrail.hoptrail#hoptrail.start', false);
  }

  #accepted(): void {
    void this.#ports.memory.update(KEY, true);
    this.#ports.showBadge(undefined);
    this.dispose();
  }
}
