/** The command line beside an editor's window: the built file, and the index process that the window has. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { packageVersion } from '../../src/cli/open-engine.ts';
import { makeIndexKnown, socketFolder } from '../../src/search/index.ts';
import type { IndexConfig } from '../../src/search/indexer/index-service.ts';
import type { RunningIndexProcess } from '../../src/search/process/index-process-client.ts';
import { type CliRun, runHoptrail } from '../doubles/run-hoptrail.ts';
import { ProcessHarness } from './process-harness.ts';

describe('the command line beside a window', function () {
  this.timeout(120_000);
  let harness: ProcessHarness;
  let cache: string;
  let config: IndexConfig;
  let window: RunningIndexProcess;

  beforeEach(async () => {
    harness = await ProcessHarness.create({
      'lighthouse.md': '# Lighthouse\n\nThe lighthouse keeper is Ada.\n',
      'draft.md': '# Draft\n\nThe lighthouse keeper may be Ansa.\n',
    });
    cache = path.join(harness.base, 'cache');
    config = { ...harness.config(), excludeGlobs: ['**/draft.md'] };
    window = harness.start({ socketFolder: socketFolder() });
    await window.index.open(config);
    await window.index.update({});
    await makeIndexKnown(config, packageVersion(), path.join(cache, 'hoptrail'));
  });
  afterEach(() => harness.close());

  const hoptrail = (command: string, ...args: string[]): Promise<CliRun> =>
    runHoptrail([command, harness.workspace, ...args], { XDG_CACHE_HOME: cache });
  const foldersOfCache = (): string[] =>
    readdirSync(path.join(cache, 'hoptrail'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'learning')
      .map(({ name }) => name);

  it('searches the index of the window, read as the window reads it, and makes none of its own', async () => {
    const searched = await hoptrail('search', 'lighthouse keeper', '--json');
    assert.equal(searched.code, 0, searched.err);
    const paths = (JSON.parse(searched.out) as { path: string }[]).map(({ path: file }) => file);
    assert.deepEqual(paths, ['lighthouse.md']);
    const status = JSON.parse((await hoptrail('status', '--json')).out) as { indexUri: string };
    assert.equal(status.indexUri, config.indexUri);
    assert.deepEqual(foldersOfCache(), []);
  });

  it('does so through the process of the window, which alone may write', async () => {
    await harness.write({ 'ferry.md': '# Ferry\n\nThe ferry is called Ansa.\n' });
    const indexed = await hoptrail('index', '--json');
    assert.equal(indexed.code, 0, indexed.err);
    assert.equal((JSON.parse(indexed.out) as { files: number }).files, 2);
    assert.equal((await window.index.state()).coverage.files, 2, 'the window sees what the command has read');
    assert.equal((await window.index.state()).phase, 'ready', 'nobody took its lock');
  });

  it('has an index of its own where another place or other reading is named', async () => {
    const index = path.join(harness.base, 'named');
    const named = await hoptrail('search', 'lighthouse keeper', '--json', '--index', index);
    assert.equal((JSON.parse(named.out) as unknown[]).length, 2, named.err);
    assert.deepEqual(foldersOfCache(), []);
    const otherwise = await hoptrail('search', 'lighthouse keeper', '--json', '--exclude', '**/lighthouse.md');
    assert.equal((JSON.parse(otherwise.out) as { path: string }[])[0]?.path, 'draft.md', otherwise.err);
    assert.equal(foldersOfCache().length, 1);
  });
});
