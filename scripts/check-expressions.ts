// Prints every regular expression of `src` and `webview` whose time is not known to be linear: `node --import tsx
// scripts/check-expressions.ts [FOLDER …]`.
import { expressionsBelow, growthOfAll, keyOf } from './testing/regular-expressions.ts';
import { repositoryRoot } from './vscode-host/locations.ts';

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'webview'];
const found = expressionsBelow(repositoryRoot, folders);
const growth = await growthOfAll(found);
for (const one of found) {
  if (one.pattern === undefined) console.log(`put together  ${one.file}:${one.line}  ${one.text.slice(0, 160)}`);
  else if (!growth.get(keyOf(one))?.safe)
    console.log(`${growth.get(keyOf(one))?.why}  ${one.file}:${one.line}  ${keyOf(one)}`);
}
console.log(`${found.length} expressions, ${growth.size} distinct`);
