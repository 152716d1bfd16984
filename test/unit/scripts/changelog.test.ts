import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

const read = (name: string): string => readFileSync(path.join(repositoryRoot, name), 'utf8');

describe('CHANGELOG.md', () => {
  const headings = read('CHANGELOG.md')
    .split('\n')
    .filter((line) => line.startsWith('## '));

  it('has what is not released yet on top, then each version with its day, newest first', () => {
    assert.equal(headings[0], '## [Unreleased]');
    const released = headings.slice(1).map((line) => /^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(line));
    assert.ok(released.length > 0 && released.every((match) => match !== null), headings.join('\n'));
    const days = released.map((match) => match?.[2] ?? '');
    assert.deepEqual(days, [...days].sort().reverse());
  });

  it('ends its newest version where package.json and its lock stand', () => {
    const newest = /\[(.+)\]/.exec(headings[1] ?? '')?.[1];
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': { version: string } } };
    assert.deepEqual([version, lock.version, lock.packages[''].version], [newest, newest, newest]);
  });
});
