import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unitsOf } from './units-harness.ts';

const cell = (type: string, source: readonly string[] | string, more = {}): unknown => ({
  cell_type: type,
  metadata: {},
  ...more,
  source,
});
const notebook = (cells: readonly unknown[], language = 'python'): string =>
  JSON.stringify({ cells, metadata: { kernelspec: { language } }, nbformat: 4 }, undefined, 1);

describe('units of notebooks', () => {
  it('are what their cells say and wrote, and none of the keys of the format', async () => {
    const study = '# Tide study\n\nThe gauge stands at "pier 4". It is old.\n\nWe compare the harbours of Oslo and\n';
    const text = notebook([
      cell('markdown', `${study}Bergen.\n- Only high tides\n`.split(/(?<=\n)/)),
      cell('code', ['%matplotlib inline\n', 'import pandas\n', '\n', 'LIMIT = 3.2\n', 'ask()\n'], {
        outputs: [
          { name: 'stdout', output_type: 'stream', text: ['max tide 3.4 m\n'] },
          { data: { 'image/png': 'aGFyYm91cg==', 'text/plain': 'Axes of tides' }, output_type: 'display_data' },
        ],
      }),
    ]);
    assert.deepEqual(await unitsOf('tides.ipynb', text), [
      String.raw`sentence The gauge stands at \"pier 4\".`,
      'sentence It is old.',
      'sentence We compare the harbours of Oslo and\\n",\n    "Bergen.',
      'item Only high tides',
      'statement max tide 3.4 m',
      'statement Axes of tides',
      'statement %matplotlib inline',
      'import import pandas',
      'constant LIMIT = 3.2',
      'statement ask()',
    ]);
  });

  it('stand in the cell that they are of, whatever a program means across cells', async () => {
    const cells = [cell('code', ['gate = open(\n']), cell('markdown', 'Wait.\r\nRing \\ it.'), cell('code', ['1)'])];
    const units = await unitsOf('gate.ipynb', notebook(cells));
    assert.ok(units.length > 0);
    for (const unit of units) assert.doesNotMatch(unit, /cell_type|metadata/);
  });

  it('are those of earlier versions too, and of errors what they say', async () => {
    const error = { output_type: 'pyerr', ename: 'KeyError', evalue: 'no gauge', traceback: ['\u001b[0;31mKeyError'] };
    const cells = [cell('markdown', 'The gauge is old.'), { cell_type: 'code', input: ['ask()\n'], outputs: [error] }];
    assert.deepEqual((await unitsOf('old.ipynb', JSON.stringify({ worksheets: [{ cells }], nbformat: 3 }))).sort(), [
      'sentence The gauge is old.',
      'statement KeyError',
      'statement ask()',
      'statement no gauge',
    ]);
  });

  it('of a language without a grammar are their lines', async () => {
    assert.deepEqual(await unitsOf('gate.ipynb', notebook([cell('code', 'gate.open\ngate.close')], 'apl')), [
      'statement gate.open',
      'statement gate.close',
    ]);
  });
});
