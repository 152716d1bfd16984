import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { codeDifferences, type CodeOutcome, codeTable, withoutPart } from '../../../../lab/heads/code-report.ts';
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

describe('the report of searches through code', () => {
  const outcome = (search: string, id: string, recall: number): CodeOutcome => ({
    search,
    id,
    group: 'web',
    metrics: { 'recall@5': recall },
  });
  const outcomes = [outcome('hybrid', 'a', 0), outcome('hybrid', 'b', 1), outcome('beam', 'a', 1)];

  it('has a line for each search and group', () => {
    assert.match(codeTable(outcomes), /^\| web \| hybrid \| 2 \| 0\.500 \[0\.00, 1\.00\] \| – /m);
    assert.match(codeTable(outcomes), /^\| all \| beam \| 1 \| 1\.000 /m);
  });

  it('compares what both were asked', () => {
    assert.match(codeDifferences(outcomes, 'hybrid'), /^\| beam \| -1\.000 \[-1\.00, -1\.00\] \| – /m);
  });
});
