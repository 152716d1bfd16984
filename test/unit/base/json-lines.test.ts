import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { jsonLines, parsedJson, readJsonLines } from '#base';

const shape = z.object({ id: z.number() });

describe('JSON lines', () => {
  it('are read as they were written, blank lines left out', () => {
    const values = [{ id: 1 }, { id: 2 }];
    assert.equal(jsonLines(values), '{"id":1}\n{"id":2}\n');
    assert.deepEqual(readJsonLines(jsonLines(values), shape), { values, damaged: [] });
    assert.deepEqual(readJsonLines('\n{"id":1}\r\n  \n\n{"id":2}', shape), { values, damaged: [] });
    assert.deepEqual(readJsonLines('', shape), { values: [], damaged: [] });
  });

  it('tell each line that cannot be read, and why, and whether it was cut off', () => {
    const { values, damaged } = readJsonLines('{"id":1}\n{"id":"two"}\n\n{"id"\nnull\n{"id":5}\n{"id":', shape);
    assert.deepEqual(values, [{ id: 1 }, { id: 5 }]);
    assert.deepEqual(
      damaged.map(({ line, problem, isOpen }) => [line, problem instanceof SyntaxError, isOpen]),
      [
        [2, false, false],
        [4, true, false],
        [5, false, false],
        [7, true, true],
      ],
    );
    assert.ok(damaged[0]?.problem instanceof z.ZodError);
  });

  it('have values of any kind, null and false among them', () => {
    assert.deepEqual(readJsonLines('null\nfalse\n0', z.unknown()).values, [null, false, 0]);
    assert.deepEqual(parsedJson('null'), { value: null });
    assert.ok(parsedJson('nul') instanceof SyntaxError);
  });
});
