import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

/** `private` or `protected` before anything but a constructor or what a library calls so: these have no other way. */
const OTHER_DIALECT = /^\s*(?:private|protected) (?!constructor\b|override\b).*/gm;

describe('what a class keeps to itself', () => {
  it('is written as #name', () => {
    assert.equal('  private readonly a = 1;\n  private constructor() {'.match(OTHER_DIALECT)?.length, 1);
    const files = [
      'src',
      'webview',
      'lab',
      'scripts',
      'test/doubles',
      'test/unit',
      'test/process',
      'test/host',
    ].flatMap((folder) =>
      readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.m?ts$/.test(name))
        .map((name) => path.join(folder, name)),
    );
    const found = files.flatMap((file) =>
      (readFileSync(path.join(repositoryRoot, file), 'utf8').match(OTHER_DIALECT) ?? []).map(
        (line) => `${file}:${line}`,
      ),
    );
    assert.deepEqual(found, []);
  });
});
