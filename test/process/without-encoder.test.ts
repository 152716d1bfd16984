import assert from 'node:assert/strict';
import { cpSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { demoQuestion } from '../../scripts/demo-question.ts';
import { builtCli as cli, runHoptrail } from '../doubles/run-hoptrail.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';
import { repositoryRoot as root } from '../../scripts/vscode-host/locations.ts';

/** What the answer to the demo's question rests on. */
const TRAIL = [
  'incidents/2024-02-17-silent-weekend.md',
  'systems/mast-power.md',
  'suppliers/halden-cells.md',
  'people/hamish-adeyemi.md',
];

describe('hoptrail without the file of the joint encoder', function () {
  this.timeout(120_000);

  it('answers over several files', async () => {
    const place = temporaryFolder();
    cpSync(dirname(cli), join(place, 'dist'), { recursive: true, filter: (file) => !file.endsWith('.map') });
    cpSync(join(root, 'package.json'), join(place, 'package.json'));
    cpSync(join(root, 'models'), join(place, 'models'), {
      recursive: true,
      filter: (file) => basename(file) !== 'joint-encoder',
    });
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'), 'junction');
    const notes = join(place, 'notes');
    for (const file of TRAIL) cpSync(join(root, 'examples', 'notes', file), join(notes, file));
    const { code, out, err } = await runHoptrail(
      ['ask', notes, demoQuestion, '--json'],
      { XDG_CACHE_HOME: join(place, 'cache') },
      { cli: join(place, 'dist', basename(cli)) },
    );
    assert.equal(code, 0, err);
    const { abstained, answer, chain } = JSON.parse(out) as {
      abstained: boolean;
      answer: string;
      chain: { path: string }[];
    };
    assert.equal(abstained, false);
    assert.notEqual(answer, '');
    assert.ok(new Set(chain.map((hop) => hop.path)).size >= 2, 'evidence of two files at least');
  });
});
