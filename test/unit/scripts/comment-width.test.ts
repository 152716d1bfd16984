import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

const WIDEST = 120;
const COMMENT = /^\s*(?:\*|\/\/|\/\*)/;

describe('comments', () => {
  it(`are at most ${WIDEST} columns wide, which the formatter does not see to`, () => {
    const wide = ['src', 'webview', 'lab', 'scripts', 'test'].flatMap((folder) =>
      readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|mjs)$/.test(name) && !name.startsWith('fixtures'))
        .flatMap((name) =>
          readFileSync(path.join(repositoryRoot, folder, name), 'utf8')
            .split('\n')
            .flatMap((line, i) => (line.length > WIDEST && COMMENT.test(line) ? [`${folder}/${name}:${i + 1}`] : [])),
        ),
    );
    assert.deepEqual(wide, []);
  });
});
