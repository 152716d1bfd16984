/** The command line beside an editor's window: the built file, and the index process that the window has. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { packageVersion } from '../../src/cli/open-engine.ts';
import { makeIndexKnown } from '../../src/search/index.ts';
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
    window = harness.start();
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

  it('does so through the daemon of the window', async () => {
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
    assert.deepEqual(readdirSync(cache), ['hoptrail'], 'no library that is loaded keeps anything beside it');
    const otherwise = await hoptrail('search', 'lighthouse keeper', '--json', '--exclude', '**/lighthouse.md');
    assert.equal((JSON.parse(otherwise.out) as { path: string }[])[0]?.path, 'draft.md', otherwise.err);
    assert.equal(foldersOfCache().length, 1);
  });
});

describe('the command line in one of the folders that a window has open', function () {
  this.timeout(120_000);
  let harness: ProcessHarness;
  let config: IndexConfig;
  let window: RunningIndexProcess;
  let cache: string;

  before(async () => {
    harness = await ProcessHarness.create({
      'notes/people/ada.md':
        '# Ada\n\nThe keeper of the lighthouse is Ada. Its lamp is lit by [the program](../../code/lamp.py).\n',
      'notes/ferry.md': '# Ferry\n\nThe ferry is called Ansa.\n',
      'code/lamp.py': 'def light_lamp():\n    """The lighthouse keeper lights the lamp."""\n    return 1\n',
      'code/main.py': 'from lamp import light_lamp\n\n# The oscillograph starts at dawn.\nlight_lamp()\n',
    });
    cache = path.join(harness.base, 'cache');
    const roots = ['notes', 'code'].map((name) => ({ uri: harness.uri(name), name }));
    config = { ...harness.config(), roots };
    window = harness.start();
    await window.index.open(config);
    await window.index.update({});
    await makeIndexKnown(config, packageVersion(), path.join(cache, 'hoptrail'));
  });
  after(() => harness.close());

  /** Runs a command in a folder, without naming it, and gives what it says. */
  const inFolder = async <T>(folder: string, command: string, ...args: string[]): Promise<T> => {
    const cwd = path.join(harness.workspace, folder);
    const run = await runHoptrail([command, ...args, '--json'], { XDG_CACHE_HOME: cache }, { cwd });
    assert.equal(run.code, 0, run.err);
    return JSON.parse(run.out) as T;
  };
  const pathsOf = (places: readonly { path: string }[]): string[] => places.map((place) => place.path).sort();

  it("searches that folder of the window's index, and shows paths as seen from there", async () => {
    const search = (folder: string, ...args: string[]): Promise<{ path: string }[]> =>
      inFolder(folder, 'search', 'lighthouse keeper', ...args);
    assert.deepEqual(pathsOf(await search('notes')), ['ferry.md', 'people/ada.md']);
    assert.deepEqual(pathsOf(await search('notes', '--path', 'people')), ['people/ada.md']);
    assert.deepEqual(pathsOf(await search('code')), ['lamp.py', 'main.py']);
    const kept = readdirSync(path.join(cache, 'hoptrail'), { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    );
    assert.deepEqual(
      kept.map(({ name }) => name).filter((name) => name !== 'learning'),
      [],
      'no index of its own',
    );
  });

  it('asks that folder alone, as if there were no other', async () => {
    const answer = await inFolder<{ answer: string; chain: { path: string }[]; coverage: { files: number } }>(
      'notes',
      'ask',
      'Who is the keeper of the lighthouse?',
    );
    assert.match(answer.answer, /Ada/);
    assert.ok(
      answer.chain.every((hop) => ['people/ada.md', 'ferry.md'].includes(hop.path)),
      JSON.stringify(answer),
    );
    assert.equal(answer.coverage.files, 2);
    const closest = await inFolder<{ citations: { path: string }[] }>(
      'notes',
      'ask',
      'When does the oscillograph start?',
    );
    assert.ok(
      closest.citations.every(({ path }) => ['people/ada.md', 'ferry.md'].includes(path)),
      JSON.stringify(closest),
    );
  });

  it('lists references there, and names what is defined in another folder by the way to it', async () => {
    const found = await inFolder<{ references: { path: string }[]; files: number }>('code', 'references', 'light_lamp');
    assert.ok(found.references.length > 0 && found.references.every((each) => each.path === 'main.py'));
    const elsewhere = await inFolder<{ references: unknown[]; definitions: { path: string }[] }>(
      'notes',
      'references',
      'light_lamp',
    );
    assert.deepEqual(pathsOf(elsewhere.definitions), ['../code/lamp.py']);
    assert.deepEqual(elsewhere.references, []);
  });

  it('brings the index of the window up to date, and takes nothing of other folders out of it', async () => {
    await harness.write({ 'notes/boat.md': '# Boat\n\nThe boat of the lighthouse is called Brim.\n' });
    await inFolder('notes', 'index');
    assert.equal((await window.index.state()).coverage.files, 5, 'the window sees what the command has read');
    const status = await inFolder<{ indexUri: string; coverage: { files: number } }>('notes', 'status');
    assert.equal(status.indexUri, config.indexUri);
    assert.equal(status.coverage.files, 3);
    const emptied = await runHoptrail(['index', path.join(harness.workspace, 'notes'), '--emptied'], {
      XDG_CACHE_HOME: cache,
    });
    assert.equal(emptied.code, 2);
    assert.match(emptied.err, /one of several folders that an editor’s window has open/);
  });
});
