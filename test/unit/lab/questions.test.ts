import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { folderSets } from '../../../lab/heads/folder-sets.ts';

const folders = JSON.parse(readFileSync('lab/questions/folders.json', 'utf8')) as Record<
  string,
  { repository: string; commit: string; kind: string; licence: string }
>;

describe('questions about public repositories', () => {
  const [blind, newer, more, others] = [
    folderSets(['lab/questions/blind']),
    folderSets(['lab/questions/newer']),
    folderSets(['lab/questions/more']),
    folderSets(['', '/aside', '/later'].map((each) => `lab/questions${each}`)),
  ];
  const sets = [...others, ...more, ...newer, ...blind];

  it('are about folders that are named with their commit and licence', () => {
    assert.deepEqual(sets.map(({ name }) => name).sort(), Object.keys(folders).sort());
    for (const { name, kind } of sets) {
      const folder = folders[name];
      assert.equal(folder?.kind, kind);
      assert.equal(folder?.repository, name.replace('+', '/'));
      assert.match(folder?.commit ?? '', /^[0-9a-f]{40}$/);
      assert.ok(folder?.licence);
    }
  });

  it('are answered by lines, or by nothing', () => {
    const ids = new Set<string>();
    for (const set of sets) {
      const { questions } = set;
      const nulls = questions.filter(({ type }) => type === 'null').length;
      if (more.includes(set)) {
        assert.ok(questions.length >= 50 && questions.length <= 120, set.name);
        assert.ok(nulls / questions.length > 0.18 && nulls / questions.length < 0.25, set.name);
      } else {
        const expected = blind.includes(set) ? [20, 3] : newer.includes(set) ? [42, 14] : [45, 9];
        assert.deepEqual([questions.length, nulls], expected, set.name);
      }
      for (const { id, type, evidence, also, answer, items } of questions) {
        assert.ok(!ids.has(id), id);
        ids.add(id);
        assert.equal(evidence.length === 0, type === 'null', id);
        assert.equal(answer === '' && items === undefined, type === 'null', id);
        for (const place of [...evidence, ...also])
          assert.ok('start' in place && place.start >= 1 && place.end >= place.start, id);
      }
    }
  });
});
