import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { fileTitles } from '../../../../src/vscode/panel/file-titles.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

describe('what files are called', () => {
  const titles: Record<string, string[]> = {
    'people/deniz-arslan.md': ['Deniz Arslan', 'Deniz Arslan > Role'],
    'log.md': ['Monday', 'Tuesday'],
    'letter.txt': ['', ''],
    'begins-without.md': ['', 'Costs'],
  };
  const index = {
    passagesOf: async (path: string): Promise<Passage[]> =>
      (titles[path] ?? []).map((title, part) => notePassage(`${path}-${part}`, title, 'Text.')),
  };

  it('is the title that stands above all of a file, and nothing where there is none', async () => {
    assert.deepEqual(await fileTitles([...Object.keys(titles), 'gone.md', 'log.md'], index), {
      'people/deniz-arslan.md': 'Deniz Arslan',
    });
  });
});
