import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelHtml, type PanelPage } from './panel-html.ts';

/** Gives a webview the built page: its one script and style, and no other right. */
export function fillWebview(webview: vscode.Webview, extensionUri: vscode.Uri, place: PanelPage['place']): void {
  const built = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [built] };
  webview.html = panelHtml({
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(built, 'main.js')).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(built, 'main.css')).toString(),
    language: vscode.env.language,
    title: 'Hoptrail',
    place,
    translations: translations(),
  });
}

/** Translations of the editor's language, as far as there are any. */
function translations(): Record<string, string> {
  const bundle = vscode.l10n.bundle ?? {};
  return Object.fromEntries(
    Object.entries(bundle).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}
