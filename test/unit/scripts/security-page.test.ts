import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

describe('docs/security.md', () => {
  const page = readFileSync(path.join(repositoryRoot, 'docs/security.md'), 'utf8');
  const tests = readdirSync(path.join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.split(path.sep).join('/').slice(0, -'.test.ts'.length));

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
