import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

describe('docs/security.md', () => {
  const page = readRepository('docs/security.md');
  const tests = filesBelow('test')
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.slice('test/'.length, -'.test.ts'.length));

  it('names a test that exists in every row', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| tried'));
    assert.ok(rows.length > 25, `only ${rows.length} rows`);
    for (const row of rows) {
      const named = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      assert.ok(named.length > 0, `no test in: ${row}`);
      for (const name of named) {
        const [start = '', end = ''] = name.includes('…/') ? name.split('…/') : [name, name];
        assert.ok(
          tests.some((test) => test.startsWith(start) && (test === end || test.endsWith(`/${end}`))),
          `${name} is no test`,
        );
      }
    }
  });
});
