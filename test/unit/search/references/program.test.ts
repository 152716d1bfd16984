import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '#base';
import {
  type Definition,
  encodeReferences,
  type References,
  type Use,
} from '../../../../src/search/domain/references.ts';
import {
  type PlacedDefinition,
  type PlacedUse,
  type Program,
  readProgram,
} from '../../../../src/search/references/program.ts';
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
    const whole = await readProgram(rows);
    assert.deepEqual([...read.files.keys()], [...whole.files.keys()]);
    assert.deepEqual(
      read.definitions.get('serve')?.map(({ passageId, line }) => [passageId, line]),
      whole.definitions.get('serve')?.map(({ passageId, line }) => [passageId, line]),
    );
    assert.equal(read.uses.get("no ${load('a')} here")?.length, ROWS);
  });

  it('takes over the files that are as they were, and is the same as one that is read anew', async () => {
    const rowOf = async (path: string, text: string, startLine = 1) => ({
      id: `${path} ${startLine} ${text.length}`,
      path,
      language: 'typescript',
      startLine,
      references: encodeReferences(await referencesOf(path, text), startLine),
    });
    const same = await rowOf('same.ts', 'export function moor(berth: number) {\n  return berth + 1;\n}\n');
    const before = [
      same,
      await rowOf('edited.ts', "import { moor } from './same.ts';\nmoor(1);\n"),
      await rowOf('longer.ts', 'export const DEPTH = 1;\n'),
      await rowOf('gone.ts', 'export const GONE = 1;\n'),
    ];
    const now = [
      same,
      await rowOf('edited.ts', "import { moor } from './same.ts';\nmoor(2);\nmoor(3);\n"),
      await rowOf('longer.ts', 'export const DEPTH = 1;\n'),
      await rowOf('longer.ts', 'export const WIDTH = 2;\n', 2),
      await rowOf('new.ts', 'throw new Error("no berth is free");\n'),
    ];
    const known = await readProgram(before);
    const read = await readProgram(now, known);
    const anew = await readProgram(now);
    for (const file of ['same.ts', 'edited.ts', 'longer.ts', 'new.ts'])
      assert.equal(read.files.get(file) === known.files.get(file), file === 'same.ts', file);
    assert.deepEqual(read, anew);
    assert.deepEqual([...read.files.keys()], ['edited.ts', 'longer.ts', 'new.ts', 'same.ts']);
    assert.equal(read.uses.get('moor')?.length, 2);
    // Content that says the same is not all: another checksum, or another language, is another reading.
    const relabelled = await readProgram([{ ...same, language: 'javascript' }], known);
    assert.notEqual(relabelled.files.get('same.ts'), known.files.get('same.ts'));
    const otherwise = encodeReferences(await referencesOf('same.ts', 'export function leave() {}\n'), 1);
    const reread = await readProgram([{ ...same, references: otherwise }], known);
    assert.deepEqual([...reread.definitions.keys()], ['leave']);
  });

  it('tells what each use stands in, and the uses between lines, also where definitions overlap', async () => {
    const random = seededRandom(3);
    const upTo = (most: number): number => 1 + Math.floor(random() * most);
    const definitions = Array.from({ length: 120 }, (_, i): Definition => {
      const line = upTo(200);
      return { kind: 'function', name: `d${i}`, container: '', line, endLine: line + (random() < 0.3 ? 0 : upTo(60)) };
    });
    const uses = Array.from({ length: 300 }, (_, i): Use => ({
      kind: 'call',
      name: `u${i}`,
      receiver: '',
      line: upTo(262),
    }));
    const program = await programOf({ definitions, uses, imports: [] });
    const [file] = program.files.values();
    assert.ok(file);
    for (const use of file.uses) {
      const around: readonly PlacedDefinition[] = file.definitions.filter(
        (one) => one.line <= use.line && one.endLine >= use.line,
      );
      assert.equal(use.within === undefined, around.length === 0);
      assert.ok(use.within === undefined || around.includes(use.within));
    }
    for (const one of file.definitions) {
      const inside: readonly PlacedUse[] = file.uses.filter((use) => use.line >= one.line && use.line <= one.endLine);
      assert.deepEqual(program.usesIn(one), inside);
    }
  });
});

const programOf = (references: References): Promise<Program> =>
  readProgram([
    { id: 'a.ts', path: 'a.ts', language: 'typescript', startLine: 1, references: encodeReferences(references, 1) },
  ]);
