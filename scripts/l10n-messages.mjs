import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));
/**
 * Where texts are made for people: the extension, the panel, what both say of the index, of files that are left out and
 * of the hops of a trail, and what runs tell and operators are called.
 */
const places = [
  'src/vscode',
  'webview',
  'src/search/domain/file-cause.ts',
  'src/search/domain/notices.ts',
  'src/search/domain/reason-words.ts',
  'src/research/domain/plan.ts',
  'src/research/domain/run-notices.ts',
];
/** A text in quotes. */
const literal = /'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"/g;
/**
 * `t('…')` or `t("…")`, alone or as `l10n.t` and `vscode.l10n.t`, with a literal first argument, or several that are
 * joined: `t('…' + '…')`.
 */
const call = new RegExp(
  String.raw`(?<![\w$])(?:vscode\.)?(?:l10n\.)?t\(\s*((?:${literal.source})(?:\s*\+\s*(?:${literal.source}))*)`,
  'g',
);

/** Every literal that is handed to `t`, once, in alphabetical order. */
export function collectMessages() {
  const files = places
    .map((place) => path.join(repositoryRoot, place))
    .flatMap((place) =>
      place.endsWith('.ts')
        ? [place]
        : readdirSync(place, { recursive: true }).map((name) => path.join(place, String(name))),
    )
    .filter((file) => file.endsWith('.ts'));
  const messages = new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(call)].map(([, argument = '']) =>
        [...argument.matchAll(literal)]
          .map(([, single, double]) => single ?? double ?? '')
          .join('')
          .replace(/\\(n|'|"|\\)/g, (_whole, character) => (character === 'n' ? '\n' : character)),
      ),
    ),
  );
  return [...messages].sort();
}

/**
 * What translations lack: those of the code, beside l10n/bundle.l10n.json, and those of the manifest, beside
 * package.nls.json.
 * @param {string} root the repository
 * @returns {Map<string, string[]>} keys by file, without files that lack none
 */
export function lackingTexts(root) {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const lacking = new Map();
  for (const name of ['l10n/bundle.l10n', 'package.nls']) {
    const keys = Object.keys(read(`${name}.json`));
    const folder = path.dirname(name);
    for (const file of readdirSync(path.join(root, folder)).sort()) {
      const shown = path.posix.join(folder, file);
      if (!shown.startsWith(`${name}.`) || !shown.endsWith('.json') || shown === `${name}.json`) continue;
      const texts = read(shown);
      const missing = keys.filter((key) => texts[key] === undefined);
      if (missing.length > 0) lacking.set(shown, missing);
    }
  }
  return lacking;
}
