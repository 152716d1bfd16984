// Collects every translatable text of the extension and the panel into l10n/bundle.l10n.json.
//
//   node scripts/l10n.mjs
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { collectMessages, repositoryRoot } from './l10n-messages.mjs';

const messages = collectMessages();
const file = path.join(repositoryRoot, 'l10n', 'bundle.l10n.json');
writeFileSync(file, `${JSON.stringify(Object.fromEntries(messages.map((message) => [message, message])), null, 2)}\n`);
console.log(`${messages.length} texts in ${path.relative(repositoryRoot, file)}`);
