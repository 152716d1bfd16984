import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));
/**
 * Where texts are made for people: the extension, the panel, what the index and the hops of a trail tell both, and what
 * operators are called.
 */
const places = [
  'src/vscode',
  'webview',
  'src/search/domain/notices.ts',
  'src/search/domain/reason-words.ts',
  'src/research/domain/plan.ts',
];
/** `t('…')` or `t("…")`, alone or as `l10n.t` and `vscode.l10n.t`, with a literal first argument. */
const call = /(?<![\w$])(?:vscode\.)?(?:l10n\.)?t\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/g;

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
      [...readFileSync(file, 'utf8').matchAll(call)].map((match) =>
        (match[1] ?? match[2]).replace(/\\(n|'|"|\\)/g, (_whole, character) => (character === 'n' ? '\n' : character)),
      ),
    ),
  );
  return [...messages].sort();
}
