import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import ts from 'typescript';
import { TARGETS } from '../../../scripts/packaging/native-packages.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { debuggerArguments } from '../../../src/search/process/start-daemon.ts';
import { readRepository } from '../../doubles/repository-files.ts';

interface Configuration {
  name: string;
  type: string;
  request: string;
  program?: string;
  args?: string[];
  env?: Record<string, string>;
  outFiles?: string[];
  preLaunchTask?: string;
  port?: number;
}
interface Launch {
  configurations: Configuration[];
  compounds: { name: string; configurations: string[] }[];
  inputs: { id: string }[];
}
interface Tasks {
  tasks: { label: string; type: string; script: string }[];
}
interface Manifest {
  main: string;
  bin: Record<string, string>;
  scripts: Record<string, string>;
}

/** A file of settings, with its comments. */
function settings<T>(file: string): T {
  const { config, error } = ts.parseConfigFileTextToJson(file, readRepository(file));
  assert.equal(error, undefined, `${file}: ${String(error?.messageText)}`);
  return config as T;
}

const launch = settings<Launch>('.vscode/launch.json');
const { tasks } = settings<Tasks>('.vscode/tasks.json');
const manifest = JSON.parse(readRepository('package.json')) as Manifest;
const named = (name: string): Configuration => {
  const found = launch.configurations.find((one) => one.name === name);
  assert.ok(found, `no configuration is called ${name}`);
  return found;
};
const inFolder = (text: string): string => text.replace('${workspaceFolder}/', '');

describe('what the debugger is started with', () => {
  it('runs tasks that there are, by scripts that there are', () => {
    const labels = new Set(tasks.map(({ label }) => label));
    for (const { name, preLaunchTask } of launch.configurations)
      if (preLaunchTask !== undefined) assert.ok(labels.has(preLaunchTask), `${name}: ${preLaunchTask}`);
    for (const { label, type, script } of tasks) {
      assert.equal(type, 'npm', label);
      assert.ok(script in manifest.scripts, `${label}: ${script}`);
    }
  });

  it('starts what is built or installed, and finds what is built from it', () => {
    // What esbuild writes; a clone that was not built has none of it.
    const built = [...readRepository('esbuild.mjs').matchAll(/file: '([^']+)'/g)].map(([, file]) => `dist/${file}`);
    assert.ok(built.includes(path.posix.normalize(manifest.main)));
    for (const { name, program, outFiles = [], args = [] } of launch.configurations) {
      if (program !== undefined)
        assert.ok(
          built.includes(inFolder(program)) || existsSync(path.join(repositoryRoot, inFolder(program))),
          `${name}: ${program}`,
        );
      for (const pattern of outFiles) {
        const [, folder, extension] = /^(.+)\/\*\*\/\*(\.\w+)$/.exec(inFolder(pattern)) ?? [];
        assert.ok(
          built.some((file) => file.startsWith(`${folder}/`) && file.endsWith(extension ?? '?')),
          `${name}: ${pattern}`,
        );
      }
      for (const folder of args.filter((arg) => arg.startsWith('${workspaceFolder}/')))
        assert.ok(existsSync(path.join(repositoryRoot, inFolder(folder))), `${name}: ${folder}`);
      for (const [, input] of args.join(' ').matchAll(/\$\{input:(\w+)\}/g))
        assert.ok(
          launch.inputs.some(({ id }) => id === input),
          `${name}: ${input}`,
        );
    }
    assert.ok(launch.configurations.some(({ program }) => program && inFolder(program) === 'dist/cli.cjs'));
  });

  it('meets the index process where that listens', () => {
    const { port } = named('Index process');
    for (const { name, configurations } of launch.compounds) {
      assert.ok(configurations.includes('Index process'), name);
      for (const each of configurations) {
        const asked = named(each).env?.['HOPTRAIL_INSPECT_INDEX'];
        if (each !== 'Index process') assert.deepEqual(debuggerArguments(asked), [`--inspect=127.0.0.1:${port}`], each);
      }
    }
    assert.deepEqual(debuggerArguments(undefined), []);
  });
});

describe('what runs elsewhere', () => {
  it('makes a package for each platform that there can be one for', () => {
    const [, targets = ''] = /^ +target: \[([^\]]*)\]$/m.exec(readRepository('.github/workflows/package.yml')) ?? [];
    assert.deepEqual(targets.split(', ').sort(), Object.keys(TARGETS).sort());
    assert.match(
      readRepository('.github/workflows/package.yml'),
      /npm run package -- --target \$\{\{ matrix\.target \}\}$/m,
    );
  });

  it('tests by the same script as a fresh machine does', () => {
    assert.match(readRepository('.github/workflows/test.yml'), /^ +- run: bash \.ci\/run$/m);
    assert.match(readRepository('.ci/run'), /^npm ci\nnpm test$/m);
  });
});
