import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { repositoryRoot } from './reading-harness.ts';

const script = path.join(repositoryRoot, 'test/fixtures/made-language/read-with-made-languages.ts');

/** As the script writes it: what of a language nobody has is found once it stands in the list of languages. */
interface Found {
  kinds: string[];
  names: string[];
  isProgram: boolean;
  roles: string[];
  read: unknown;
  kernel: unknown;
  tidal: unknown;
  ebb: unknown;
  flow: unknown;
}

describe('a language that is added by its descriptor', () => {
  let found: Found;
  before(() => {
    // A process of its own, whose list of languages is a longer one.
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', script], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    found = JSON.parse(stdout) as Found;
  });

  it('is told by its extension and by the program that runs it, and named in texts', () => {
    assert.deepEqual(found.kinds, ['tidal', 'tidal']);
    assert.deepEqual(found.names, ['quay/store.tidal']);
    assert.ok(found.isProgram);
    assert.deepEqual(found.roles, ['source', 'test']);
  });

  it('is read by its grammar, with links that lead where its imports do', () => {
    assert.deepEqual(found.read, {
      language: 'tidal',
      titles: ['Store'],
      links: [
        'import quay.Berth#Berth at quay/Berth.tidal',
        'define Store',
        'call Berth at quay/Berth.tidal',
        'path notes.tidal at notes.tidal',
        'define Store.moor',
        'call tie',
      ],
    });
    assert.deepEqual(found.kernel, ['define moor'], 'in a notebook, too');
  });

  it('has its names resolved as it says', () => {
    assert.deepEqual(found.tidal, {
      folder: ['calls quay/b.tidal:1 moor → tieUp'],
      barely: ['calls quay/a.tidal:3 Store.moor → Store.tieUp'],
      parent: ['extends quay/a.tidal:4 Fast → Store', 'calls quay/a.tidal:5 Fast.moor → Store.moor'],
      ebbsOwn: ['calls quay/a.tidal:1 moor → Anchor.holdFast'],
      inTest: true,
    });
  });

  it('and otherwise where it does not say so', () => {
    const unsaid = { folder: [], barely: [], inTest: false };
    assert.deepEqual(found.ebb, {
      ...unsaid,
      parent: ['extends quay/a.ebb:4 Fast → Store', 'calls quay/a.ebb:5 Fast.moor → Store.moor'],
      ebbsOwn: ['calls quay/a.ebb:1 moor → Anchor.holdFast'],
    });
    assert.deepEqual(found.flow, {
      ...unsaid,
      parent: ['extends quay/a.flow:4 Fast → Store', 'calls quay/a.flow:5 Fast.moor → Store.moor'],
      ebbsOwn: [], // it is of another family
    });
  });
});
