import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { loadQuestions } from '../../../lab/evaluation/dataset.ts';
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
  const everyday = ['dev', 'held'].flatMap((half) => {
    const folder = path.join('lab/questions/everyday', half);
    return readdirSync(folder).map((file) => {
      const questions = loadQuestions(path.join(folder, file));
      return { name: path.basename(file, '.jsonl'), kind: questions[0]?.dataset, questions };
    });
  });

  it('are about folders that are named with their commit and licence', () => {
    const all = [...sets, ...everyday];
    assert.deepEqual(all.map(({ name }) => name).sort(), Object.keys(folders).sort());
    for (const { name, kind } of all) {
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

  it('in everyday words name their tree and lines, half of them in two places or more', () => {
    for (const { name, questions } of everyday) {
      assert.equal(questions.length, 10, name);
      assert.ok(questions.filter(({ lines }) => (lines?.length ?? 0) > 1).length >= 5, name);
      for (const [i, { id, tree, answer, lines = [] }] of questions.entries()) {
        assert.equal(id, `${name}-${i + 1}`);
        assert.equal(tree, name);
        assert.ok(answer !== '' && lines.length > 0, id);
        for (const { start, end } of lines.flatMap((range) => [range, ...(range.instead ?? [])]))
          assert.ok(start >= 1 && end >= start, id);
      }
    }
  });
});
