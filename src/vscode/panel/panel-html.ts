export interface PanelPage {
  /** Source that the editor serves this webview's files from. */
  cspSource: string;
  nonce: string;
  scriptUri: string;
  styleUri: string;
  /** BCP 47 tag of the editor's language. */
  language: string;
  title: string;
  /** Where the panel is shown. */
  place: 'view' | 'editor';
  /** English text to translated text; empty in English. */
  translations: Readonly<Record<string, string>>;
}

const escapeAttribute = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/**
 * The page of the panel. Only our one script runs, by its nonce; nothing is fetched from anywhere, nothing inline is
 * allowed. The style source is the editor's own: it carries the theme's variables as well.
 */
export function panelHtml(page: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    `img-src ${page.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(page.title)}</title>
<link rel="stylesheet" href="${escapeAttribute(page.styleUri)}">
</head>
<body data-place="${page.place}" data-translations="${escapeAttribute(JSON.stringify(page.translations))}">
<script nonce="${page.nonce}" src="${escapeAttribute(page.scriptUri)}"></script>
</body>
</html>`;
}
