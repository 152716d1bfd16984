// Collects every translatable text of the extension and the panel into l10n/bundle.l10n.json, takes texts that are gone
// out of the translations beside it, and says which ones they lack, and which those of the manifest lack.
//
//   node scripts/l10n.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { collectMessages, lackingTexts, repositoryRoot } from './l10n-messages.mjs';

const messages = collectMessages();
const folder = path.join(repositoryRoot, 'l10n');
const write = (file, texts) => writeFileSync(path.join(folder, file), `${JSON.stringify(texts, null, 2)}\n`);

write('bundle.l10n.json', Object.fromEntries(messages.map((message) => [message, message])));
console.log(`${messages.length} texts in l10n/bundle.l10n.json`);
for (const file of readdirSync(folder).filter((name) => /^bundle\.l10n\..+\.json$/.test(name))) {
  const texts = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  write(
    file,
    Object.fromEntries(
      messages.flatMap((message) => (texts[message] === undefined ? [] : [[message, texts[message]]])),
    ),
  );
}
for (const [file, missing] of lackingTexts(repositoryRoot))
  console.log(`${file} lacks:\n${missing.map((message) => `  ${message}`).join('\n')}`);
