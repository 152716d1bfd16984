import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../../scripts/vscode-host/locations.ts';

describe('the variable that keeps ONNX Runtime silent', () => {
  for (const entry of ['encoder-session', 'onnx-session'])
    it(`is set in a bundle of ${entry}, before the runtime is loaded`, async () => {
      const { outputFiles, warnings } = await esbuild.build({
        absWorkingDir: repositoryRoot,
        entryPoints: [`src/search/embedding/${entry}.ts`],
        bundle: true,
        write: false,
        platform: 'node',
        format: 'cjs',
        packages: 'external',
        logLevel: 'silent',
      });
      assert.deepEqual(
        warnings.map(({ text }) => text),
        [],
      );
      const text = outputFiles[0]?.text ?? '';
      const [set, loaded] = [
        text.indexOf('ORT_DISABLE_TELEMETRY"] = "1"'),
        text.indexOf('require("@huggingface/transformers")'),
      ];
      assert.ok(set > 0);
      assert.ok(set < loaded);
    });
});
