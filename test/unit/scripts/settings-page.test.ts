import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { settingsPage } from '../../../scripts/settings-page.mjs';

describe('docs/settings.md', () => {
  it('is what the manifest says', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(repositoryRoot, 'scripts/settings-page.mjs'), '--check'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
  });

  it('names every setting with its default, limits and values', () => {
    const manifest = {
      contributes: {
        configuration: [
          {
            title: '%group%',
            properties: {
              'a.b': {
                type: 'integer',
                default: 2,
                minimum: 1,
                maximum: 8,
                scope: 'machine',
                markdownDescription: '%a.b%',
              },
              'a.c': {
                type: 'string',
                default: '',
                scope: 'window',
                enum: ['', 'x|y'],
                markdownEnumDescriptions: ['none', 'both'],
                description: 'Which.',
              },
              'a.d': {
                type: 'array',
                default: [],
                scope: 'window',
                items: { type: 'string', enum: ['p'], markdownEnumDescriptions: ['the first'] },
                description: 'Which of these.',
              },
              'a.e': { type: 'string', default: '', scope: 'application', description: 'For all.' },
              'a.f': { type: 'string', default: '', scope: 'window', description: 'What is kept out.' },
            },
          },
        ],
      },
      capabilities: { untrustedWorkspaces: { restrictedConfigurations: ['a.f'] } },
    };
    const page = settingsPage(manifest, { group: 'Group', 'a.b': 'How many.' });
    assert.match(page, /## Group/);
    assert.match(page, /\| `a\.b` \| `2` \| integer, from 1 to 8 \| yours only \| How many\. \|/);
    assert.match(page, /- empty: none\n- `x\|y`: both/);
    assert.match(page, /\| `a\.d` \| `\[\]` \| list \|/);
    assert.match(page, /\| `a\.e` \| `""` \| string \| yours only \|/);
    assert.match(page, /\| `a\.f` \| `""` \| string \| workspace too, once it is trusted \|/);
    assert.match(page, /`a\.d`:\n\n- `p`: the first/);
  });
});
