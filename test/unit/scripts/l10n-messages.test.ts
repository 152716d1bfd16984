import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { lackingTexts } from '../../../scripts/l10n-messages.mjs';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('texts that translations lack', () => {
  it('are named of the code and of the manifest, file by file', () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, 'l10n'));
    const files = {
      'l10n/bundle.l10n.json': { Stop: 'Stop', Ask: 'Ask' },
      'l10n/bundle.l10n.de.json': { Stop: 'Halt' },
      'l10n/bundle.l10n.fr.json': { Stop: 'Arrêter', Ask: 'Demander' },
      'package.json': { name: 'x' },
      'package.nls.json': { 'command.ask': 'Ask' },
      'package.nls.de.json': {},
    };
    for (const [file, texts] of Object.entries(files)) writeFileSync(path.join(root, file), JSON.stringify(texts));
    assert.deepEqual(
      [...lackingTexts(root)],
      [
        ['l10n/bundle.l10n.de.json', ['Ask']],
        ['package.nls.de.json', ['command.ask']],
      ],
    );
  });
});
