import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { wrongImports } from '../../../scripts/testing/import-rules.ts';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

type Import = [file: string, imported: string, name?: string];

/** Imports of a list whose lines say a file and what it imports, `DOOR(NAME)` for one name. */
const imports = (list: string): Import[] =>
  list.split('\n').flatMap((line) => {
    const [file = '', ...imported] = line.trim().split(' ');
    return imported.map((one): Import => {
      const [door = '', name] = one.split(/[()]/);
      return name === undefined ? [file, door] : [file, door, name.replaceAll('_', ' ')];
    });
  });

const forbidden = imports(`
  src/base/a.ts #search vscode #protocol ../../scripts/import-rules.ts ./../search/store/index-store.ts
  src/search/a.ts #research #protocol ../../test/doubles/word-embedder.ts
  src/search/reading/a.ts ../../research/run/run-state.ts vscode @lancedb/lancedb
  src/search/store/a.ts @huggingface/transformers
  src/search/retrieval/a.ts #search/lab
  src/research/a.ts ../search/store/index-store.ts #search/lab #protocol ../../lab/statistics.ts
  src/research/operators/a.ts #learning
  src/learning/strategy/a.ts ../../research/run/run-state.ts
  src/learning/a.ts #hoptrail #protocol
  src/hoptrail.ts vscode ./vscode/session.ts #protocol
  src/cli/a.ts ../vscode/session.ts ../search/process/messages.ts ../engine.ts #search(startIndexProcess)
  src/cli/a.ts #learning(openLearning) #research(createClassifiers) #protocol #lab #nowhere
  src/vscode/a.ts onnxruntime-node #lab ../engine.ts #search(startIndexProcess) #learning(openLearning)
  src/vscode/a.ts ../../webview/run-view.ts
  src/vscode/panel/a.ts ../../search/store/index-store.ts ../../hoptrail.ts
  lab/a.ts ../src/engine.ts vscode
  lab/bench/a.ts ../../src/search/store/index-store.ts
  src/engine.ts #cli/lab
  lab/evaluation/a.ts #search/lab(startIndexProcess)
  lab/heads/a.ts #learning(openLearning_as_open)
  webview/a.ts ../src/research/domain/answer.ts
  webview/views/a.ts #search node:fs #search/notices`);

const allowed = imports(`
  src/search/indexer/a.ts ../store/index-store.ts
  src/search/store/a.ts @lancedb/lancedb
  src/search/embedding/a.ts @huggingface/transformers
  src/research/a.ts #search
  src/learning/a.ts #research
  src/hoptrail.ts #learning ./engine.ts #learning(openLearning)
  src/vscode/panel/a.ts vscode
  src/vscode/a.ts #hoptrail
  src/cli/a.ts #search #research(type_createResearcher)
  lab/heads/a.ts #search/lab @lancedb/lancedb
  lab/bench/a.ts ../../scripts/vscode-host/host.ts #search(startIndexProcess)
  src/engine.ts #research(createResearcher)
  src/cli/main.ts #lab
  webview/views/a.ts #protocol ../strings.ts lit`);

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
