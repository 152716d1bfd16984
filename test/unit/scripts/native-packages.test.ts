import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import {
  fetchPackage,
  platformOf,
  TARGETS,
  targetNamed,
  withoutSymbols,
} from '../../../scripts/packaging/native-packages.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const runtimes = path.join(repositoryRoot, 'node_modules/onnxruntime-node/bin/napi-v6');
const installed = (name: string): Buffer => {
  const folder = path.join(repositoryRoot, 'node_modules', targetNamed(name).lancedb);
  return readFileSync(createRequire(import.meta.url).resolve(folder));
};

describe('the native packages of a platform', () => {
  let scratch: string;
  beforeEach(() => {
    scratch = temporaryFolder();
  });

  it('are pinned in the lock file, and ONNX Runtime is installed for all of them', () => {
    const { packages } = JSON.parse(readFileSync(path.join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    for (const [name, { lancedb, onnxruntime }] of Object.entries(TARGETS)) {
      const database = packages['node_modules/@lancedb/lancedb'];
      assert.equal(packages[`node_modules/${lancedb}`]?.version, database?.version);
      for (const file of onnxruntime)
        assert.equal(platformOf(readFileSync(path.join(runtimes, ...name.split('-'), file))), name);
    }
  });

  it('of a platform that is not supported are refused with those that are', () => {
    assert.throws(() => targetNamed('darwin-x64'), /"darwin-x64".* linux-x64, linux-arm64, darwin-arm64, win32-x64/);
  });

  it('are taken only with the hash that the lock file has', () => {
    const own = path.join(scratch, 'own');
    mkdirSync(own);
    writeFileSync(path.join(own, 'package.json'), '{"name":"native-of-a-test","version":"1.0.0"}');
    writeFileSync(path.join(own, 'a.node'), 'library');
    const locked = { version: '1.0.0', integrity: 'sha512-other' };
    const folder = path.join(scratch, 'cache', 'native');
    assert.throws(() => fetchPackage(own, locked, folder), /is not what package-lock\.json names: .*sha512-other/);
    assert.throws(() => fetchPackage(own, { version: '1.0.0' }, folder), /has no hash of .*complete-lockfile\.mjs/);
    assert.ok(!existsSync(folder), 'nothing unchecked is kept');
    const [said] = JSON.parse(execFileSync('npm', ['pack', own, '--json', '--dry-run'], { encoding: 'utf8' })) as {
      integrity: string;
    }[];
    fetchPackage(own, { version: '1.0.0', integrity: said?.integrity ?? '' }, folder);
    assert.equal(readFileSync(path.join(folder, 'a.node'), 'utf8'), 'library');
  });

  it('load without their symbols', function () {
    const name = `${process.platform}-${process.arch}`;
    const whole = readFileSync(path.join(runtimes, process.platform, process.arch, 'onnxruntime_binding.node'));
    assert.equal(platformOf(whole), name);
    const cut = withoutSymbols(whole);
    if (process.platform !== 'linux') return assert.equal(cut, whole);
    assert.ok(cut.length < whole.length);
    for (const file of TARGETS[name]?.onnxruntime ?? [])
      copyFileSync(path.join(runtimes, process.platform, process.arch, file), path.join(scratch, file));
    writeFileSync(path.join(scratch, 'cut.node'), cut);
    const keys = `console.log(Object.keys(require(${JSON.stringify(path.join(scratch, 'cut.node'))})).join())`;
    assert.match(execFileSync(process.execPath, ['-e', keys], { encoding: 'utf8' }), /InferenceSession/);
    assert.ok(withoutSymbols(installed(name)).length < 160e6);
  });

  it('are told from what is none', () => {
    assert.equal(platformOf(Buffer.from('version https://git-lfs.github.com/spec/v1\n'.repeat(3))), undefined);
    assert.equal(platformOf(Buffer.alloc(0)), undefined);
  });
});
