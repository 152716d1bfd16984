import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { assertWhole, nativeFiles } from '../../../scripts/packaging/needed-files.ts';
import { TARGETS } from '../../../scripts/packaging/native-packages.ts';
import { repositoryRoot as root } from '../../../scripts/vscode-host/locations.ts';

const below = (folder: string): string[] =>
  (readdirSync(path.join(root, folder), { recursive: true }) as string[]).map((name) =>
    path.posix.join(folder, name.split(path.sep).join('/')),
  );

describe('a package', () => {
  for (const [target, { lancedb, onnxruntime }] of Object.entries(TARGETS))
    it(`for ${target} is refused that lacks one native library, or one part of the extension`, () => {
      const natives = [
        { name: lancedb, paths: [`lancedb.${target}.node`] },
        { name: 'onnxruntime-node', paths: ['dist', ...onnxruntime.map((file) => `bin/${file}`)] },
      ];
      const whole = [
        ...below('models'),
        ...below('skills'),
        ...below('media'),
        ...['extension', 'later', 'cli', 'index-process', 'model-thread', 'process-guard'].map(
          (name) => `dist/${name}.cjs`,
        ),
        'dist/wasm/tree-sitter.wasm',
        'dist/wasm/go/tags.scm',
        ...natives.map(({ name }) => `node_modules/${name}/package.json`),
        ...nativeFiles(natives),
      ];
      const parsing = ['tree-sitter.wasm', 'go/tags.scm'];
      assertWhole(whole, root, natives, parsing);
      assert.equal(nativeFiles(natives).length, 1 + onnxruntime.length);
      for (const file of [
        ...nativeFiles(natives),
        'dist/process-guard.cjs',
        'dist/wasm/tree-sitter.wasm',
        'dist/wasm/go/tags.scm',
        'models/joint-encoder/onnx/model_quantized.onnx',
        'skills/hoptrail/SKILL.md',
      ])
        assert.throws(
          () =>
            assertWhole(
              whole.filter((name) => name !== file),
              root,
              natives,
              parsing,
            ),
          ({ message }: Error) => message === `The package would lack ${file}: see .vscodeignore.`,
        );
    });
});
