import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

const forbidden: [file: string, imported: string][] = [
  ['src/model/a.ts', '../indexing/embedder.ts'],
  ['src/model/b.ts', 'zod'],
  ['src/indexing/a.ts', '../retrieval/retriever.ts'],
  ['src/indexing/reading/a.ts', 'vscode'],
  ['src/indexing/reading/b.ts', '@lancedb/lancedb'],
  ['src/llm/a.ts', '../indexing/embedder.ts'],
  ['src/retrieval/a.ts', '../indexing/store/index-store.ts'],
  ['src/retrieval/chain/a.ts', '../../reasoning/run-context.ts'],
  ['src/reasoning/a.ts', '../engine.ts'],
  ['src/reasoning/operators/a.ts', '../../process/index-process-client.ts'],
  ['src/evaluation/a.ts', '../cli/output.ts'],
  ['src/engine.ts', './vscode/open/open-passage.ts'],
  ['src/engine.ts', 'vscode'],
  ['src/cli/a.ts', '../vscode/open/open-passage.ts'],
  ['src/vscode/a.ts', 'onnxruntime-node'],
  ['src/extension.ts', '@lancedb/lancedb'],
  ['webview/a.ts', '../src/model/answer.ts'],
  ['webview/views/a.ts', '../../src/engine.ts'],
  ['webview/views/b.ts', 'node:fs'],
];

const allowed: [file: string, imported: string][] = [
  ['src/model/a.ts', './answer.ts'],
  ['src/indexing/store/a.ts', '@lancedb/lancedb'],
  ['src/indexing/embedding/a.ts', '@huggingface/transformers'],
  ['src/retrieval/a.ts', '../indexing/passage-index.ts'],
  ['src/reasoning/a.ts', '../llm/language-model.ts'],
  ['src/extension.ts', 'vscode'],
  ['src/vscode/panel/a.ts', 'vscode'],
  ['src/cli/a.ts', '../evaluation/report.ts'],
  ['webview/views/a.ts', '../../src/protocol.ts'],
];

describe('the import table', () => {
  let root: string;

  before(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-lint-'));
    copyFileSync(path.join(repositoryRoot, '.oxlintrc.json'), path.join(root, '.oxlintrc.json'));
  });
  after(() => rmSync(root, { recursive: true }));

  /** Messages about imports of a file that holds nothing but this import. */
  function lint(file: string, imported: string): string[] {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), `import { thing } from '${imported}';\nthing();\n`);
    const oxlint = path.join(repositoryRoot, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', file], { cwd: root, encoding: 'utf8' });
    rmSync(path.join(root, file));
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string; severity: string }[] };
    return diagnostics.filter(({ code }) => code.includes('no-restricted-imports')).map(({ severity, message }) => `${severity}: ${message}`);
  }

  for (const [file, imported] of forbidden) {
    it(`forbids ${file} to import ${imported}`, () => {
      const messages = lint(file, imported);
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? '', /^error/);
    });
  }
  for (const [file, imported] of allowed) {
    it(`lets ${file} import ${imported}`, () => assert.deepEqual(lint(file, imported), []));
  }
});
