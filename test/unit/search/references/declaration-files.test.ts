import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { edgesFrom, graphOf } from './program-of.ts';

describe('declaration files beside scripts', () => {
  it('have the types that a script lacks', async () => {
    const graph = await graphOf({
      'frame.mjs': 'export function decode() {}',
      'frame.d.mts': 'export interface Frame { seq: number }\nexport declare function decode(): Frame;',
      'feed.d.cts': 'export declare class Feed { close(): void }',
      'app.ts': [
        "import { decode, type Frame } from './frame.mjs';",
        "import { Feed } from './feed.cjs';",
        'export function run(): Frame {',
        '  new Feed().close();',
        '  return decode();',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'app.ts'), [
      'types app.ts:3 run → Frame',
      'calls app.ts:4 run → Feed',
      'calls app.ts:4 run → Feed.close',
      'calls app.ts:5 run → decode',
    ]);
    const app = graph.program.files.get('app.ts');
    assert.equal(app && graph.importedSymbol('./frame.mjs', 'decode', app)[0]?.file.path, 'frame.mjs');
  });
});
