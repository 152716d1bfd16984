import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, it } from 'mocha';

describe('the repository that experiments lie in', () => {
  it('is found from the bundle of `hoptrail eval`, too', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hoptrail-places-')));
    const outfile = join(folder, 'dist', 'lab.cjs');
    try {
      buildSync({
        entryPoints: ['lab/places.ts'],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'cjs',
        // As in esbuild.mjs.
        define: { 'import.meta.url': 'importMetaUrl' },
        banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
      });
      const bundled = createRequire(import.meta.url)(outfile) as { root: string };
      assert.equal(bundled.root, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
