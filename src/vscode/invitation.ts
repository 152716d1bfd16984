import * as vscode from 'vscode';
import { workspaceRoots } from './index/workspace-roots.ts';
import type { SessionHolder } from './session-holder.ts';

export interface InvitationPorts {
  memory: Pick<vscode.Memento, 'get' | 'update'>;
  sessions: Pick<SessionHolder, 'onState'>;
  /** Shows a number on Hoptrail's icon; undefined takes it away. */
  showBadge(badge: vscode.ViewBadge | undefined): void;
  onPanelShown: vscode.Event<void>;
  ask(): Promise<void>;
}

/** Kept once the panel was opened: there is no invitation any more. */
const ACCEPTED = 'invited';
/** Kept once the notification was shown; only the number on the icon comes in later windows. */
const TOLD = 'invitation-told';

/**
 * Says once, after installation, that this folder can be asked about: with one notification, as soon as that is true,
 * and a number on the icon until the panel is opened, in every window. Who opens the panel unasked needs no invitation.
 */
export class Invitation implements vscode.Disposable {
  readonly #ports: InvitationPorts;
  readonly #disposables: vscode.Disposable[] = [];
  /** In this window. */
  #invited = false;

  constructor(ports: InvitationPorts) {
    this.#ports = ports;
    if (ports.memory.get<boolean>(ACCEPTED)) return;
    this.#disposables.push(
      ports.onPanelShown(() => this.#accepted()),
      ports.sessions.onState((state) => {
        const searchable = state.phase === 'embedding' || state.phase === 'ready' || state.phase === 'read-only';
        if (!searchable || state.coverage.passages === 0) return;
        void this.#invite((name) => vscode.l10n.t('{0} is read: ask what no single file of it answers.', name));
      }),
    );
  }

  /** The folder is there, and read only when something is asked of it (`hoptrail.indexing`: `manual`). */
  inviteUnread(): void {
    if (workspaceRoots().length === 0) return;
    void this.#invite((name) =>
      vscode.l10n.t('{0} is read as soon as you ask: ask what no single file of it answers.', name),
    );
  }

  dispose(): void {
    for (const disposable of this.#disposables.splice(0)) disposable.dispose();
  }

  async #invite(textFor: (name: string) => string): Promise<void> {
    const { l10n, window, workspace, commands } = vscode;
    const { memory, showBadge, ask } = this.#ports;
    if (this.#invited || memory.get<boolean>(ACCEPTED)) return;
    this.#invited = true;
    const name = workspace.name ?? workspace.workspaceFolders?.[0]?.name ?? '';
    showBadge({ value: 1, tooltip: l10n.t('{0} can be asked about', name) });
    if (memory.get<boolean>(TOLD)) return;
    const now = l10n.t('Ask');
    const start = l10n.t('Get Started');
    const telling = window.showInformationMessage(textFor(name), now, start);
    void memory.update(TOLD, true);
    const chosen = await telling;
    if (chosen === now) await ask();
    if (chosen === start)
      await commands.executeCommand('workbench.action.openWalkthrough', 'hoptrail.hoptrail#hoptrail.start', false);
  }

  #accepted(): void {
    void this.#ports.memory.update(ACCEPTED, true);
    this.#ports.showBadge(undefined);
    this.dispose();
  }
}
