import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { UNKNOWN_INDEX } from '../../../../src/search/domain/index-state.ts';
import type { IndexConfig } from '../../../../src/search/indexer/index-service.ts';
import { type RunningIndexProcess, startIndexProcess } from '../../../../src/search/process/index-process-client.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';
import { settled } from '../../../doubles/waiting.ts';

/** Answers everything with a state; `silent` and `offline` are files that keep it from starting and from opening. */
const PROGRAM = `
const { existsSync } = require('node:fs');
let state = ${JSON.stringify(UNKNOWN_INDEX)};
const answer = {
  'index.resume': () => process.exit(7),
  'index.open': (id, { takeOver }) =>
    existsSync(process.env.OFFLINE)
      ? process.send({ type: 'failure', id, aborted: false, error: { code: 'offline', message: 'offline' } })
      : process.send({ type: 'result', id, value: (state = { ...state, embedderId: takeOver ? 'by force' : '' }) }),
  'index.state': (id) => process.send({ type: 'result', id, value: state }),
};
process.on('message', ({ type, id, method, args }) => {
  if (type === 'init' && !existsSync(process.env.SILENT)) process.send({ type: 'ready' });
  if (type === 'request') answer[method](id, args[0]);
  if (type === 'exit') process.exit(0);
});
`;

describe('an index process that is kept at hand', () => {
  let folder: string;
  let running: RunningIndexProcess;
  const config: IndexConfig = {
    roots: [],
    indexUri: '/nowhere',
    embedder: { kind: 'bundled' },
    excludeGlobs: [],
    useGitignore: false,
    maxFileBytes: 1,
  };
  const file = (name: string): string => path.join(folder, name);
  const touch = (name: string): Promise<void> => writeFile(file(name), '');
  beforeEach(async () => {
    folder = temporaryFolder();
    await writeFile(file('child.cjs'), PROGRAM);
    running = startIndexProcess({
      entry: file('child.cjs'),
      modelsDir: 'models',
      wasmDir: 'wasm',
      env: { OFFLINE: file('offline'), SILENT: file('silent') },
      log: () => undefined,
    });
  });
  afterEach(async () => {
    await running.dispose();
  });

  it('is told again what it could not open after a crash, once somebody asks', async () => {
    await running.index.open(config);
    await touch('offline');
    await assert.rejects(running.index.resume(), { code: 'index-process-crashed' });
    await assert.rejects(running.index.state(), { code: 'offline' });
    const { pid } = running;
    await assert.rejects(running.index.state(), { code: 'offline' }, 'it is tried anew, and still fails');
    await rm(file('offline'));
    assert.equal((await running.index.state()).phase, 'starting');
    assert.equal(running.pid, pid, 'the same process');
  });

  it('takes the lock from another process once, and not after a crash', async () => {
    assert.equal((await running.index.open({ ...config, takeOver: true })).embedderId, 'by force');
    await assert.rejects(running.index.resume(), { code: 'index-process-crashed' });
    assert.equal((await running.index.state()).embedderId, '');
  });

  it('lets go of who has waited for its start when it is closed', async () => {
    await touch('silent');
    const asked = assert.rejects(running.index.state(), { code: 'index-process-unavailable' });
    await settled();
    await running.dispose();
    await asked;
  });

  it('lets go of who cancels while it starts', async () => {
    await touch('silent');
    const stop = new AbortController();
    const asked = assert.rejects(running.index.state(stop.signal), { name: 'AbortError' });
    await settled();
    stop.abort();
    await asked;
  });
});
