/** What the built command line says to somebody who cannot go on, and with which exit code. */
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { type CliRun, runHoptrail } from '../doubles/run-hoptrail.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';

describe('a problem on the command line', function () {
  this.timeout(120_000);
  let home: string;
  let notes: string;

  before(() => {
    home = temporaryFolder();
    notes = temporaryFolder({ 'boat.md': '# Boat\n\nThe boat was built in 1998 by Åsa Öberg.\n' });
  });

  const hoptrail = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<CliRun> =>
    runHoptrail(args, {
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_DATA_HOME: home,
      HOPTRAIL_BASE_URL: '',
      HOPTRAIL_MODEL: '',
      ...env,
    });

  it('is a model whose server is not named: passages go to no other', async () => {
    for (const [args, env] of [
      [['ask', notes, 'q', '--model', 'llama'], {}],
      [['mcp', notes], { HOPTRAIL_MODEL: 'llama' }],
    ] as const) {
      const { code, err } = await hoptrail([...args], env);
      assert.equal(code, 2, err);
      assert.match(err, /The model llama is named, but not the server that runs it/);
      assert.match(err, /--base-url http:\/\/127\.0\.0\.1:11434\/v1 for a server on this machine/);
      assert.match(err, /--base-url https:\/\/api\.openai\.com\/v1 for OpenAI/);
    }
    const { code, err } = await hoptrail(['index', notes], { HOPTRAIL_MODEL: 'llama' });
    assert.equal(code, 0, `a command that asks no model minds none: ${err}`);
  });

  it('is a server that is no address', async () => {
    const { code, err } = await hoptrail(['ask', notes, 'q', '--base-url', 'ftp://host/v1']);
    assert.equal(code, 2, err);
    assert.match(err, /ftp:\/\/host\/v1/);
  });

  it('is an index that cannot be written: its place is named, and how another is', async function () {
    if (process.platform !== 'linux') this.skip(); // where not even root can write is another place elsewhere
    for (const command of [
      ['index', notes],
      ['search', notes, 'boat'],
    ]) {
      const { code, err } = await hoptrail([...command, '--index', '/sys/hoptrail']);
      assert.equal(code, 1, err);
      assert.match(err, /The index cannot be written \(take its lock\): its folder is read-only/);
      assert.match(err, /That is \/sys\/hoptrail: allow writing there, or name another place with --index\./);
      assert.doesNotMatch(err, /hoptrail\.index\.uri/);
    }
  });

  it('is a folder in which nothing can be read: that is told, and why', async () => {
    const empty = temporaryFolder();
    const left = temporaryFolder({ 'a.md': '', 'logo.png': 'x' });
    const name = (folder: string): string => basename(folder);
    for (const [folder, told] of [
      [empty, `${name(empty)} holds no text that can be read: no file is there.`],
      [
        left,
        `${name(left)} holds no text that can be read: what is there (2) is left out; hoptrail index lists it, and says why.`,
      ],
    ] as const) {
      const asked = await hoptrail(['ask', folder, 'Who built the boat?']);
      assert.equal(asked.code, 0, asked.err);
      assert.ok(asked.out.includes(told), asked.out);
      assert.doesNotMatch(asked.out, /No file speaks of this/);
      const { notices } = JSON.parse((await hoptrail(['ask', folder, 'Who?', '--json'])).out) as { notices: unknown };
      assert.deepEqual(notices, [{ code: 'nothing-read', message: told }]);
    }
    assert.match((await hoptrail(['index', empty])).out, /holds no text that can be read: no file is there\.\n0 files/);
    const { out } = await hoptrail(['index', left]);
    assert.match(out, /holds no text that can be read: what is there is left out\.\n0 files/);
    assert.match(out, /empty: a\.md/);
    const read = await hoptrail(['ask', notes, 'Who discovered penicillin?']);
    assert.doesNotMatch(read.out, /holds no text/);
  });
});
