import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compareEdges } from '../../../../lab/code/compare-edges.ts';
import { compilerEdges } from '../../../../lab/code/compiler-edges.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('edges against a compiler', () => {
  it('are right where both say the same, and count only where the compiler knows the place', () => {
    const found = new Map([
      ['a.ts:1 load', 'b.ts load'],
      ['a.ts:2 load', 'c.ts load'],
      ['a.ts:9 load', 'b.ts load'],
    ]);
    const expected = new Map([
      ['a.ts:1 load', 'b.ts load'],
      ['a.ts:2 load', null],
      ['a.ts:3 load', 'b.ts load'],
    ]);
    const { precision, recall, resolved, gold, wrong, missed } = compareEdges(found, expected);
    assert.deepEqual([precision, recall, resolved, gold], [0.5, 0.5, 2, 2]);
    assert.deepEqual(wrong, ['a.ts:2 load → c.ts load, not anything here']);
    assert.deepEqual(missed, ['a.ts:3 load → b.ts load']);
  });

  it('are read of a project as TypeScript resolves it', () => {
    const folder = temporaryFolder({
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "types": [] }, "include": ["*.ts"] }',
      'b.ts': 'export function load(): void {}\n',
      'a.ts':
        "import { load as read } from './b.js';\nread();\nexport const run = (load: () => void): void => load();\n",
    });
    const { calls, imports } = compilerEdges(folder);
    assert.deepEqual(
      [...calls],
      [
        ['a.ts:2 read', 'b.ts load'],
        ['a.ts:3 load', null],
      ],
    );
    assert.deepEqual([...imports], [['a.ts:1 load', 'b.ts load']]);
  });

  it('lead to a script for the values that a declaration file tells of it, to that file for its types', () => {
    const folder = temporaryFolder({
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "types": [] }, "include": ["*.ts"] }',
      'frame.mjs': 'export function decode() {}\n',
      'frame.d.mts': 'export interface Frame {}\nexport declare function decode(): Frame;\n',
      'outside.d.mts': 'export declare const seen: number;\n',
      'a.ts': [
        "import { decode, type Frame } from './frame.mjs';",
        "import { seen } from './outside.mjs';",
        'export const run = (): Frame => (seen ? decode() : decode());',
      ].join('\n'),
    });
    const { calls, imports } = compilerEdges(folder);
    assert.deepEqual([...calls], [['a.ts:3 decode', 'frame.mjs decode']]);
    assert.deepEqual(
      [...imports],
      [
        ['a.ts:1 decode', 'frame.mjs decode'],
        ['a.ts:1 Frame', 'frame.d.mts Frame'],
        ['a.ts:2 seen', 'outside.d.mts seen'],
      ],
    );
  });
});
