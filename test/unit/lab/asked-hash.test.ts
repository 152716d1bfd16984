import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { askedHash } from '../../../lab/commands/asked-hash.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('what an evaluation asks', () => {
  let folder = '';
  let data = '';
  beforeEach(() => {
    folder = temporaryFolder();
    data = join(folder, 'data.jsonl');
    writeFileSync(data, '{"question": "Where?"}\n');
  });

  it('is the same for the same questions of the same places, however these are named', () => {
    const notes = join(folder, 'notes');
    const hash = askedHash({ data, workspace: notes });
    assert.equal(askedHash({ data, workspace: `${notes}/` }), hash);
    assert.equal(askedHash({ data, workspace: join(folder, 'x', '..', 'notes') }), hash);
  });

  it('is another for other questions, and for another place of any kind', () => {
    const hashes = [
      askedHash({ data }),
      ...(['corpus', 'workspace', 'trees', 'embedderFolder'] as const).map((place) =>
        askedHash({ data, [place]: folder }),
      ),
      askedHash({ data, workspace: tmpdir() }),
    ];
    writeFileSync(data, '{"question": "When?"}\n');
    hashes.push(askedHash({ data }));
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it('is another once a model was trained anew', () => {
    const models = join(folder, 'models');
    mkdirSync(models);
    writeFileSync(join(models, 'chain-scorer.json'), '{}');
    const hash = askedHash({ data }, models);
    writeFileSync(join(models, 'README.md'), '# Models\n');
    assert.equal(askedHash({ data }, models), hash);
    writeFileSync(join(models, 'chain-scorer.json'), '{"prose": 1}');
    assert.notEqual(askedHash({ data }, models), hash);
  });
});
