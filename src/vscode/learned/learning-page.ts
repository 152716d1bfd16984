import * as vscode from 'vscode';
import type { FromLearningPage, ToLearningPage } from '../protocol.ts';
import { fillWebview } from '../panel/fill-webview.ts';
import { validateFromLearningPage } from '../panel/validate.ts';
import type { LearningService } from './learning-service.ts';

/** What the page's buttons do. */
export interface LearningPagePorts {
  extensionUri: vscode.Uri;
  learning: LearningService;
  run(
    command: 'hoptrail.fineTune' | 'hoptrail.exportLearning' | 'hoptrail.deleteLearning' | 'hoptrail.openSettings',
  ): void;
}

/** "Hoptrail: Learning" as an editor of its own; there is one in the window. */
export class LearningPage implements vscode.Disposable {
  readonly #ports: LearningPagePorts;
  readonly #disposables: vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;
  /** Reports that were asked for. */
  #asked = 0;
  /** Of these, the one that is shown: none older takes its place. */
  #shown = 0;

  constructor(ports: LearningPagePorts) {
    this.#ports = ports;
    this.#disposables = [
      ports.learning.onDidChange(() => void this.#send()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('hoptrail')) void this.#send();
      }),
    ];
  }

  show(): void {
    if (this.#panel) return this.#panel.reveal();
    const panel = vscode.window.createWebviewPanel(
      'hoptrail.learning',
      vscode.l10n.t('Hoptrail: Learning'),
      vscode.ViewColumn.Active,
    );
    this.#panel = panel;
    panel.iconPath = vscode.Uri.joinPath(this.#ports.extensionUri, 'media', 'hoptrail-color.svg');
    fillWebview(panel.webview, this.#ports.extensionUri, 'learning');
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = validateFromLearningPage(value);
      if (message) this.#take(message);
    });
    // Runs teach while the page is hidden: it is brought up to date when it is looked at again.
    panel.onDidChangeViewState(() => {
      if (panel.visible) void this.#send();
    });
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    this.#panel?.dispose();
  }

  #take(message: FromLearningPage): void {
    switch (message.type) {
      case 'ready':
        return void this.#send();
      case 'export':
        return this.#ports.run('hoptrail.exportLearning');
      case 'fine-tune':
        return this.#ports.run('hoptrail.fineTune');
      case 'delete':
        return this.#ports.run('hoptrail.deleteLearning');
      case 'settings':
        return this.#ports.run('hoptrail.openSettings');
    }
  }

  async #send(): Promise<void> {
    if (!this.#panel) return;
    const asked = ++this.#asked;
    const message: ToLearningPage = { type: 'learning', report: await this.#ports.learning.report() };
    if (asked < this.#shown) return;
    this.#shown = asked;
    await this.#panel?.webview.postMessage(message);
  }
}
