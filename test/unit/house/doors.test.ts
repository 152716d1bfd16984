import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { wrongImports } from '../../../scripts/testing/import-rules.ts';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

const forbidden: [file: string, imported: string, name?: string][] = [
  ['src/base/a.ts', '#search'],
  ['src/base/b.ts', 'vscode'],
  ['src/search/a.ts', '#research'],
  ['src/search/reading/b.ts', '../../research/run/run-state.ts'],
  ['src/search/reading/c.ts', 'vscode'],
  ['src/search/reading/d.ts', '@lancedb/lancedb'],
  ['src/search/store/a.ts', '@huggingface/transformers'],
  ['src/search/retrieval/a.ts', '#search/lab'],
  ['src/research/a.ts', '../search/store/index-store.ts'],
  ['src/research/operators/a.ts', '#learning'],
  ['src/research/b.ts', '#search/lab'],
  ['src/learning/strategy/a.ts', '../../research/run/run-state.ts'],
  ['src/learning/b.ts', '#hoptrail'],
  ['src/hoptrail.ts', 'vscode'],
  ['src/hoptrail.ts', './vscode/session.ts'],
  ['src/cli/a.ts', '../vscode/session.ts'],
  ['src/cli/b.ts', '../search/process/messages.ts'],
  ['src/vscode/a.ts', 'onnxruntime-node'],
  ['src/vscode/panel/b.ts', '../../search/store/index-store.ts'],
  ['src/vscode/c.ts', '#lab'],
  ['src/vscode/d.ts', '../engine.ts'],
  ['src/cli/c.ts', '../engine.ts'],
  ['lab/a.ts', '../src/engine.ts'],
  ['src/vscode/e.ts', '#search', 'startIndexProcess'],
  ['src/vscode/f.ts', '#learning', 'openLearning'],
  ['src/cli/d.ts', '#search', 'startIndexProcess'],
  ['src/cli/e.ts', '#learning', 'openLearning'],
  ['src/cli/f.ts', '#research', 'createClassifiers'],
  ['lab/bench/a.ts', '../../src/search/store/index-store.ts'],
  ['src/base/c.ts', '#protocol'],
  ['src/search/e.ts', '#protocol'],
  ['src/research/c.ts', '#protocol'],
  ['src/learning/c.ts', '#protocol'],
  ['src/cli/g.ts', '#protocol'],
  ['src/hoptrail.ts', '#protocol'],
  ['src/engine.ts', '#cli/lab'],
  ['src/vscode/g.ts', '../../webview/run-view.ts'],
  ['src/search/f.ts', '../../test/doubles/word-embedder.ts'],
  ['src/base/d.ts', '../../scripts/import-rules.ts'],
  ['src/research/d.ts', '../../lab/statistics.ts'],
  ['src/vscode/panel/h.ts', '../../hoptrail.ts'],
  ['src/base/e.ts', './../search/store/index-store.ts'],
  ['src/cli/h.ts', '#lab'],
  ['src/cli/i.ts', '#nowhere'],
  ['lab/evaluation/a.ts', '#search/lab', 'startIndexProcess'],
  ['lab/heads/b.ts', '#learning', 'openLearning as open'],
  ['lab/c.ts', 'vscode'],
  ['webview/a.ts', '../src/research/domain/answer.ts'],
  ['webview/views/a.ts', '#search'],
  ['webview/views/b.ts', 'node:fs'],
  ['webview/views/c.ts', '#search/notices'],
];

const allowed: [file: string, imported: string, name?: string][] = [
  ['src/search/indexer/a.ts', '../store/index-store.ts'],
  ['src/search/store/a.ts', '@lancedb/lancedb'],
  ['src/search/embedding/a.ts', '@huggingface/transformers'],
  ['src/research/a.ts', '#search'],
  ['src/learning/a.ts', '#research'],
  ['src/hoptrail.ts', '#learning'],
  ['src/hoptrail.ts', './engine.ts'],
  ['src/vscode/panel/a.ts', 'vscode'],
  ['src/vscode/b.ts', '#hoptrail'],
  ['src/cli/a.ts', '#search'],
  ['lab/heads/a.ts', '#search/lab'],
  ['lab/heads/a.ts', '@lancedb/lancedb'],
  ['lab/bench/a.ts', '../../scripts/vscode-host/host.ts'],
  ['lab/bench/b.ts', '#search', 'startIndexProcess'],
  ['src/hoptrail.ts', '#learning', 'openLearning'],
  ['src/engine.ts', '#research', 'createResearcher'],
  ['src/cli/b.ts', '#research', 'type createResearcher'],
  ['src/cli/main.ts', '#lab'],
  ['webview/views/a.ts', '#protocol'],
  ['webview/views/a.ts', '../strings.ts'],
  ['webview/views/a.ts', 'lit'],
];

/** What is said of a file that holds nothing but this import, in each of the ways to write it. */
function told(file: string, imported: string, name: string | undefined): string[][] {
  const ways = [
    `import { ${name ?? 'thing'} } from '${imported}';`,
    ...(name === undefined
      ? [
          `import type { Thing } from '${imported}';`,
          `export * from '${imported}';`,
          `export const thing = await import('${imported}');`,
          `import '${imported}';`,
        ]
      : []),
  ];
  return ways.map((source) => wrongImports(file, `${source}\n`));
}

describe('the doors of the rooms', () => {
  for (const [file, imported, name] of forbidden) {
    it(`forbid ${file} to import ${name === undefined ? '' : `${name} from `}${imported}`, () => {
      for (const messages of told(file, imported, name)) assert.equal(messages.length, 1, messages.join());
    });
  }
  for (const [file, imported, name] of allowed) {
    it(`let ${file} import ${name === undefined ? '' : `${name} from `}${imported}`, () =>
      assert.deepEqual(told(file, imported, name).flat(), []));
  }

  it('are the only way from room to room', () => {
    const files = filesBelow('src', 'webview', 'lab').filter((file) => file.endsWith('.ts'));
    assert.ok(files.length > 500);
    assert.deepEqual(
      files.flatMap((file) => wrongImports(file, readRepository(file))),
      [],
    );
  });
});
