import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { childEnvironment, storageThreads } from '../../../../src/search/process/child-environment.ts';

const OURS = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C',
  XDG_CONFIG_HOME: '/c',
  HTTPS_PROXY: 'http://me:secret@proxy',
  https_proxy: 'http://proxy',
};
const KEYS = {
  OPENAI_API_KEY: 'a',
  HOPTRAIL_API_KEY: 'b',
  GITHUB_TOKEN: 'c',
  NPM_TOKEN: 'd',
  NODE_OPTIONS: '--inspect',
  AWS_SECRET_ACCESS_KEY: 'e',
  AWS_PROFILE: 'f',
  GOOGLE_SERVICE_ACCOUNT: 'g',
  AZURE_STORAGE_ACCOUNT_KEY: 'h',
  LANCEDB_API_KEY: 'i',
  AWS_SOMETHING_OF_MINE: 'j',
};
const seen = (indexUri: string, kind: 'bundled' | 'endpoint' = 'bundled'): string[] =>
  Object.keys(
    childEnvironment(
      { ...OURS, ...KEYS },
      { indexUri, embedder: kind === 'bundled' ? { kind } : { kind, baseUrl: 'http://127.0.0.1', model: 'm' } },
    ),
  ).sort();
const LOCAL = ['HOME', 'LC_ALL', 'ORT_DISABLE_TELEMETRY', 'PATH', 'XDG_CONFIG_HOME'];
const NETWORK = [...LOCAL, 'HTTPS_PROXY', 'https_proxy'];

describe('the environment of our processes', () => {
  it('is made of names that are known, without any key, for an index in a folder', () => {
    assert.deepEqual(seen('/somewhere/index'), LOCAL);
    assert.deepEqual(seen('file:///somewhere/index'), LOCAL);
    assert.deepEqual(seen('C:\\index'), LOCAL);
    assert.deepEqual(Object.keys(childEnvironment({ ...OURS, ...KEYS })).sort(), LOCAL);
  });

  it('keeps native code from telling others what it does, whatever is set', () =>
    assert.equal(childEnvironment({ ORT_DISABLE_TELEMETRY: '0' })['ORT_DISABLE_TELEMETRY'], '1'));

  it('has the proxies where an endpoint makes the vectors', () =>
    assert.deepEqual(seen('/index', 'endpoint'), [...NETWORK].sort()));

  it("has the storage's own credentials where the index lies in object storage, and no others", () => {
    assert.deepEqual(seen('s3://bucket/index'), [...NETWORK, 'AWS_PROFILE', 'AWS_SECRET_ACCESS_KEY'].sort());
    assert.deepEqual(seen('gs://bucket/index'), [...NETWORK, 'GOOGLE_SERVICE_ACCOUNT'].sort());
    assert.deepEqual(seen('az://container/index'), [...NETWORK, 'AZURE_STORAGE_ACCOUNT_KEY'].sort());
    assert.deepEqual(seen('db://name'), [...NETWORK, 'LANCEDB_API_KEY'].sort());
  });
});

describe('the threads of the storage', () => {
  it('are two at least, whatever is set and however few processors there are', () => {
    assert.deepEqual(storageThreads({}, 2), { LANCE_CPU_THREADS: '2' });
    assert.deepEqual(storageThreads({}, 1), { LANCE_CPU_THREADS: '2' });
    assert.deepEqual(storageThreads({ LANCE_CPU_THREADS: '1', LANCE_IO_THREADS: '1' }, 16), {
      LANCE_CPU_THREADS: '2',
      LANCE_IO_THREADS: '2',
    });
  });

  it('are as they are set, or as the storage would count them, where that is enough', () => {
    assert.deepEqual(storageThreads({}, 8), { LANCE_CPU_THREADS: '6' });
    const set = { LANCE_CPU_THREADS: '3', LANCE_IO_THREADS: '4' };
    assert.deepEqual(storageThreads(set, 2), set);
    assert.deepEqual(storageThreads({ LANCE_CPU_THREADS: 'all' }, 8), { LANCE_CPU_THREADS: '2' });
  });
});
