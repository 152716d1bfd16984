import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readRepository } from '../../doubles/repository-files.ts';

describe('CHANGELOG.md', () => {
  const headings = readRepository('CHANGELOG.md')
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
    const { version } = JSON.parse(readRepository('package.json')) as { version: string };
    const lock = JSON.parse(readRepository('package-lock.json')) as {
      version: string;
      packages: { '': { version: string } };
    };
    assert.deepEqual([version, lock.version, lock.packages[''].version], [newest, newest, newest]);
  });
});
