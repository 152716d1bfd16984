// Prints every regular expression of `src` and `webview` whose time is not known to be linear: `node --import tsx
// scripts/check-expressions.ts [--write] [FOLDER …]`. `--write` keeps which ones are, and tests look at no others
// again.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { expressionsBelow, fingerprintOf, growthOfAll, keyOf, knownFile } from './testing/regular-expressions.ts';
import { repositoryRoot } from './vscode-host/locations.ts';

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true });
const found = expressionsBelow(repositoryRoot, positionals.length > 0 ? positionals : ['src', 'webview']);
const growth = await growthOfAll(found);
for (const one of found) {
  if (one.pattern === undefined) console.log(`put together  ${one.file}:${one.line}  ${one.text.slice(0, 160)}`);
  else if (!growth.get(keyOf(one))?.safe)
    console.log(`${growth.get(keyOf(one))?.why}  ${one.file}:${one.line}  ${keyOf(one)}`);
}
if (values.write) {
  const safe = [...growth].flatMap(([key, each]) => (each.safe ? [fingerprintOf(key)] : []));
  writeFileSync(knownFile, `${JSON.stringify(safe.sort(), null, 2)}\n`);
}
console.log(`${found.length} expressions, ${growth.size} distinct`);
