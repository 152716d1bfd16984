import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DatasetQuestion } from '../../../lab/evaluation/dataset.ts';
import { abstainCases } from '../../../lab/evaluation/runs/abstain-run.ts';
import { datasetQuestion } from './asked.ts';

const question = (id: string, type: string): DatasetQuestion =>
  datasetQuestion({ id, type, supporting: type === 'null' ? [] : ['p', 'q'] });

describe('abstainCases', () => {
  it('takes the null questions of the data as they are', () => {
    const cases = abstainCases([question('a', 'null'), question('b', 'inference')], 'none');
    assert.deepEqual(
      cases.map(({ id, answerable }) => [id, answerable]),
      [
        ['a', false],
        ['b', true],
      ],
    );
  });

  it('asks each answerable question twice by removal', () => {
    const cases = abstainCases([question('a', 'null'), question('b', 'inference')], 'all');
    assert.deepEqual(
      cases.map(({ id, answerable, removed }) => [id, answerable, removed]),
      [
        ['b/kept', true, []],
        ['b/removed', false, ['p', 'q']],
      ],
    );
    assert.deepEqual(abstainCases([question('b', 'inference')], 'one')[1]?.removed, ['q']);
  });
});
