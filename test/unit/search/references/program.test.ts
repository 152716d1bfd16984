import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { encodeReferences } from '../../../../src/search/domain/references.ts';
import { Program, readProgram } from '../../../../src/search/references/program.ts';
import { referencesOf } from './program-of.ts';

const ROWS = 2_000;

describe('a program that is read from an index', () => {
  it('is the same whatever order its rows come in, and lets a search have its turn every few rows', async () => {
    const text =
      "import { load } from './load.ts';\nexport function serve() {\n  throw new Error(`no ${load('a')} here`);\n}\n";
    const references = encodeReferences(await referencesOf('serve.ts', text), 1);
    const rows = Array.from({ length: ROWS }, (_, i) => ({
      id: `p${i}`,
      path: `part-${i % 50}.ts`,
      language: 'typescript',
      startLine: 1 + i,
      references,
    }));
    let isDone = false;
    let turns = 0;
    const beside = (): void => {
      turns += 1;
      if (!isDone) setImmediate(beside);
    };
    setImmediate(beside);
    const read = await readProgram(rows.toReversed());
    isDone = true;
    assert.ok(turns >= ROWS / 50, `${turns} turns`);
    const whole = new Program(rows);
    assert.deepEqual([...read.files.keys()], [...whole.files.keys()]);
    assert.deepEqual(
      read.definitions.get('serve')?.map(({ passageId, line }) => [passageId, line]),
      whole.definitions.get('serve')?.map(({ passageId, line }) => [passageId, line]),
    );
    assert.equal(read.fileOf.get('p51')?.path, 'part-1.ts');
    assert.equal([...read.thrown.values()].flat().length, ROWS);
  });
});
