import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutPart } from '../../../../lab/heads/code-report.ts';
import { anchorList } from '../../../../src/search/retrieval/anchors.ts';
import { joinsIn } from '../../../../src/search/retrieval/chain/chain-search.ts';
import { indexOf } from '../../search/references/program-of.ts';

const FILES = {
  'mime.ts': 'export function getMimeType() {}',
  'serve.ts': "import { getMimeType } from './mime.ts';\nexport function serveStatic() {\n  getMimeType();\n}",
};

describe('an index without a part', () => {
  const look = async (part?: Parameters<typeof withoutPart>[1]) => {
    const whole = await indexOf(FILES);
    const index = part === undefined ? whole : withoutPart(whole, part);
    const graph = await index.references();
    assert.ok(graph);
    const [first] = await index.rank({ words: 'getMimeType' }, { limit: 1 });
    return {
      anchors: anchorList(graph, 'Where is getMimeType?', undefined, 5).length,
      joined: (await joinsIn(index))?.('serve.ts', 'mime.ts')?.edge.relation,
      path: first?.passage.path,
    };
  };

  it('keeps the others', async () => {
    const { path, ...program } = await look();
    assert.ok(path);
    assert.deepEqual(program, { anchors: 1, joined: 'calls' });
    assert.deepEqual(await look('anchors'), { anchors: 0, joined: 'calls', path });
    assert.deepEqual(await look('edges'), { anchors: 1, joined: undefined, path });
    assert.deepEqual(await look('calls'), { anchors: 1, joined: 'imports', path });
    assert.deepEqual(await look('types'), { anchors: 1, joined: 'calls', path });
    assert.deepEqual(await look('roles'), { anchors: 1, joined: 'calls', path: undefined });
  });
});
