import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unitsOf } from './units-harness.ts';

describe('units of evidence', () => {
  it('of Markdown are definitions with their term, several of one, and what goes on below them', async () => {
    const text = [
      '# Lamps',
      '',
      'Amber',
      ': The gate is about to move.',
      '  Keep clear.',
      ': It is no order to stop.',
      '',
      'Red',
      'Two reds',
      ':   Keep out.',
      '',
      '    The tug waits. So does the ferry.',
      '',
      'Green',
      '',
      ': Pass.',
      '',
      ': Pass slowly at night.',
      '',
      'The keeper looks at them',
      'every night: at six. He is never late.',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '',
      ': Lamps by night',
    ].join('\n');
    assert.deepEqual(await unitsOf('lamps.md', text), [
      'field Amber\n: The gate is about to move.\n  Keep clear.',
      'field {Amber} : It is no order to stop.',
      'field Red\nTwo reds\n:   Keep out.',
      'sentence {Red Two reds} The tug waits.',
      'sentence {Red Two reds} So does the ferry.',
      'field {Green} : Pass.',
      'field {Green} : Pass slowly at night.',
      'sentence The keeper looks at them\nevery night: at six.',
      'sentence He is never late.',
      'row {a | b} | 1 | 2 |',
      'sentence : Lamps by night',
    ]);
  });
});
