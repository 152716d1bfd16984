import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { LearningOffError } from '../../src/engine.ts';
import { openHoptrail, type HoptrailOptions } from '../../src/hoptrail.ts';
import { repositoryRoot } from '../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';

describe('openHoptrail', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const options = (more: Partial<HoptrailOptions> = {}): HoptrailOptions => ({
    home: repositoryRoot,
    log: () => undefined,
    onProblem: (error) => {
      throw error;
    },
    ...more,
  });

  it('gives all its engines the one learning, opened when it is first needed', async () => {
    const hoptrail = openHoptrail(options({ learningFolder: join(folder, 'learning') }));
    assert.deepEqual(await readdir(folder), []);
    const engines = [hoptrail.engine({}), hoptrail.engine({})];
    for (const engine of engines) {
      assert.equal(engine.learning, hoptrail.learning());
      await engine.dispose();
    }
  });

  it('neither uses nor keeps what is learnt where no folder is named', async () => {
    const hoptrail = openHoptrail(options());
    assert.throws(() => hoptrail.learning(), LearningOffError);
    const engine = hoptrail.engine({});
    assert.equal(engine.learning, undefined);
    await engine.dispose();
  });
});
