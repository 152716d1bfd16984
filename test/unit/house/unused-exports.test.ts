import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unusedExports } from '../../../scripts/testing/unused-exports.ts';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

/** What VS Code calls. */
const CALLED_FROM_OUTSIDE = ['src/vscode/extension.ts activate', 'src/vscode/extension.ts deactivate'];

describe('what modules export', () => {
  it('is unused where nobody imports it, by whatever way', () => {
    const made = new Map([
      ['src/base/index.ts', "export { used, left } from './parts.ts';\nexport * from './more.ts';\n"],
      [
        'src/base/parts.ts',
        'export const used = 1;\nexport function left() {}\nexport class Alone {}\nexport const [a, b] = [1, 2];\n',
      ],
      ['src/base/more.ts', 'export interface Known {}\nexport type Unknown = 1;\n'],
      ['src/base/whole.ts', 'export const x = 1;\nexport const y = 2;\n'],
      ['src/base/loaded.ts', 'export const late = 1;\n'],
      [
        'src/cli/a.ts',
        "import { used as mine, type Known } from '#base';\nimport { a } from '../base/parts.ts';\nimport * as " +
          "whole from '../base/whole.ts';\nexport const own = await import('../base/loaded.ts');\n",
      ],
    ]);
    assert.deepEqual(unusedExports(made), [
      'src/base/index.ts left',
      'src/base/parts.ts left',
      'src/base/parts.ts Alone',
      'src/base/parts.ts b',
      'src/base/more.ts Unknown',
      'src/cli/a.ts own',
    ]);
  });

  it('is imported by somebody', () => {
    const files = filesBelow('src', 'webview', 'lab', 'test', 'scripts').filter((file) =>
      /(?<!\.d)\.m?[tj]s$/.test(file),
    );
    const unused = unusedExports(new Map(files.map((file) => [file, readRepository(file)])));
    assert.deepEqual(
      unused.filter((found) => /^(?:src|webview|lab)\//.test(found) && !CALLED_FROM_OUTSIDE.includes(found)),
      [],
    );
  });
});
