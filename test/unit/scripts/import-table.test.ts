import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

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
  ['webview/a.ts', '../src/research/domain/answer.ts'],
  ['webview/views/a.ts', '#search'],
  ['webview/views/b.ts', 'node:fs'],
  ['webview/views/c.ts', '#search/notices'],
];

const allowed: [file: string, imported: string][] = [
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
  ['webview/views/a.ts', '#protocol'],
];

describe('the doors of the rooms', () => {
  let root: string;

  before(() => {
    root = temporaryFolder();
    copyFileSync(path.join(repositoryRoot, '.oxlintrc.json'), path.join(root, '.oxlintrc.json'));
  });

  /** Messages about imports of a file that holds nothing but this import. */
  function lint(file: string, imported: string, name = 'thing'): string[] {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), `import { ${name} } from '${imported}';\n${name}();\n`);
    const oxlint = path.join(repositoryRoot, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', file], { cwd: root, encoding: 'utf8' });
    rmSync(path.join(root, file));
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; message: string; severity: string }[];
    };
    return diagnostics
      .filter(({ code }) => code.includes('no-restricted-imports'))
      .map(({ severity, message }) => `${severity}: ${message}`);
  }

  for (const [file, imported, name] of forbidden) {
    it(`forbids ${file} to import ${name === undefined ? '' : `${name} from `}${imported}`, () => {
      const messages = lint(file, imported, name);
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? '', /^error/);
    });
  }
  for (const [file, imported] of allowed) {
    it(`lets ${file} import ${imported}`, () => assert.deepEqual(lint(file, imported), []));
  }
});
