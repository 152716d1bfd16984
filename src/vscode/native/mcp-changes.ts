import * as vscode from 'vscode';

/** What a definition of the MCP server names: settings of the index, and how its questions are embedded. */
const NAMED = ['hoptrail.index', 'hoptrail.embedder'];

/**
 * Tells the editor that the MCP server has to be given other folders or another index: one that was started for those
 * of before names the folders of passages wrongly. Apart from the definitions, as activation needs no more than this.
 */
export class McpChanges implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];
  readonly event = this.#changed.event;

  /** @param secrets Hold the key of an endpoint that embeds, which a server is started with. */
  constructor(secrets: Pick<vscode.SecretStorage, 'onDidChange'>) {
    this.#disposables = [
      this.#changed,
      secrets.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (NAMED.some((section) => event.affectsConfiguration(section))) this.#changed.fire();
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
