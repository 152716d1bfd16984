import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unitsOf } from './units-harness.ts';

const LONG =
  'The keeper of the outer gate rings the bell once for every vessel that has passed, and twice for a tug of the port.';

/** The comments among the units of a function with that doc string, without the function. */
async function saidIn(lines: readonly string[]): Promise<string[]> {
  const said = lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
  const units = await unitsOf('gate.py', `def wait(hours):\n    """Waits.\n\n${said}\n    """\n    return hours\n`);
  return units
    .filter((unit) => unit.startsWith('comment'))
    .slice(1)
    .map((unit) => unit.replace(/^comment \{def wait\(hours\)(?: › )?/, '{').replace(/\n +/g, ' / '));
}

describe('units of a doc string', () => {
  it('in the form of NumPy are the names of its sections, each with what is said of it', async () => {
    assert.deepEqual(
      await saidIn([
        'Parameters',
        '----------',
        'delay : int, optional',
        '    Seconds to wait. Default is 5.',
        'x, y : float',
        '    Where it stands.',
        '',
        '    In metres.',
        '*ways',
        '    What leads here.',
        '',
        'Returns',
        '-------',
        'bool',
        '    Whether it is open.',
        '',
        'Notes',
        '-----',
        'Only by day: at night it is shut.',
        'It may take a while.',
        '',
        'See Also',
        '--------',
        'shut : Closes it.',
      ]),
      [
        '{Parameters} delay : int, optional / Seconds to wait. Default is 5.',
        '{Parameters} x, y : float / Where it stands.',
        '{Parameters › x, y} In metres.',
        '{Parameters} *ways / What leads here.',
        '{Returns} bool / Whether it is open.',
        '{Notes} Only by day: at night it is shut. / It may take a while.',
        '{See Also} shut : Closes it.',
      ],
    );
  });

  it('in the form of Google are the names of its sections, until a line stands no deeper than these', async () => {
    assert.deepEqual(
      await saidIn([
        'Args:',
        '    name (str): What it is called.',
        '    delay: Seconds to wait.',
        '        Longer on ferries.',
        '',
        'Raises:',
        '    GateError: If it is locked.',
        '    OSError: If the motor is gone.',
        'Example:',
        '    >>> wait(2)',
        '    2',
        '',
        'It never rings.',
        '',
        'Options are:',
        '- `slowly`',
      ]),
      [
        '{Args} name (str): What it is called.',
        '{Args} delay: Seconds to wait. / Longer on ferries.',
        '{Raises} GateError: If it is locked.',
        '{Raises} OSError: If the motor is gone.',
        '{Example} >>> wait(2) / 2',
        '{} It never rings.',
        '{} Options are:',
        '{Options are:} - `slowly`',
      ],
    );
  });

  it('that says much of a name are its sentences, below the name', async () => {
    assert.deepEqual(
      await saidIn(['Args:', `    delay (int): ${[LONG, LONG, LONG, LONG].join('\n        ')}`, '    bell: Rings.']),
      [
        `{Args} delay (int): ${LONG}`,
        `{Args › delay} ${LONG}`,
        `{Args › delay} ${LONG}`,
        `{Args › delay} ${LONG}`,
        '{Args} bell: Rings.',
      ],
    );
  });

  it('with a rule or a colon that heads nothing is what it was', async () => {
    assert.deepEqual(await saidIn(['It waits for:', 'the tide.', '', 'And then it opens', '---', '', 'Twice.']), [
      '{} It waits for: / the tide.',
      '{And then it opens} Twice.',
    ]);
  });
});
