import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { isIn, measureLedger, readLedger, repositoryFiles, rowOf } from '../../../scripts/testing/ledger.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { readRepository } from '../../doubles/repository-files.ts';

/** Goal for the lines of src and webview together. */
const MOST_LINES = 40_000;

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

describe('the ledger in DESIGN.md', () => {
  const rows = readLedger(readRepository('DESIGN.md'));
  const files = repositoryFiles();
  const sizes = measureLedger(rows, files);

  it('is read from a table', () => {
    const [row, ...others] = readLedger('| base | `src/base/`, `src/*.ts` | 2,100 | 1,400 |\n| all |  | 3 | 2 |\n');
    assert.deepEqual(
      [row, others],
      [{ room: 'base', places: ['src/base/', 'src/*.ts'], budget: 2100, goal: 1400 }, []],
    );
    assert.ok(isIn('src/engine.ts', 'src/*.ts') && !isIn('src/base/a.ts', 'src/*.ts') && isIn('a/b.md', '*.md'));
  });

  it('has a row for every source file, and goals of at most 40,000 lines together', () => {
    const sources = files.filter((file) => /^(?:src|webview)\/.*\.(?:ts|scm)$/.test(file));
    assert.ok(sources.length > 100);
    assert.deepEqual(
      sources.filter((file) => rowOf(rows, file) === undefined),
      [],
    );
    const rooms = new Set(sources.map((file) => rowOf(rows, file)));
    const all = [...rooms].reduce((sum, row) => sum + (row?.goal ?? 0), 0);
    assert.ok(all <= MOST_LINES, `${all}`);
  });

  for (const [{ room, budget, goal }, size] of sizes)
    it(`is kept by ${room}`, () => {
      assert.ok(size <= budget, `${room} has ${size} of ${budget}`);
      assert.ok(goal <= budget, `${room} has a goal above its budget`);
    });

  it('only goes down', function () {
    const versions = git('log', '--format=%H', '-20', '--', 'DESIGN.md')?.trim().split('\n') ?? [];
    if (versions.length === 0) this.skip(); // no repository around this copy
    for (const commit of versions)
      for (const before of readLedger(git('show', `${commit}:DESIGN.md`) ?? '')) {
        const now = rows.find(({ room }) => room === before.room);
        if (now) assert.ok(now.budget <= before.budget, `${now.room} had ${before.budget} in ${commit.slice(0, 8)}`);
      }
  });
});
