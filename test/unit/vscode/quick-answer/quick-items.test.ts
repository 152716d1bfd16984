import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { bestLine, firstLine, oneLine, plainLine } from '../../../../src/vscode/quick-answer/one-line.ts';
import { examplePassage } from '../../../doubles/panel-runs.ts';

const { searchItems } = await import('../../../../src/vscode/quick-answer/quick-items.ts');

describe('rows of the quick answer', () => {
  it('are one plain line', () => {
    assert.equal(oneLine('**Ann** [1]\n> keeps $(it)'), 'Ann keeps $ (it)');
    assert.equal(oneLine('x'.repeat(300)).length, 160);
    assert.equal(firstLine('\n# Title\n\n---\nWhat it says'), 'What it says');
    assert.equal(firstLine('# Only title'), 'Only title');
  });

  it('keep names and code as they are written', () => {
    assert.equal(
      oneLine('_Set_ MAX_SCOPE_FILES, or `__init__` and `argv[1]` [2], to 2 * 3 **at most**.'),
      'Set MAX_SCOPE_FILES, or __init__ and argv[1] , to 2 * 3 at most.',
    );
    assert.equal(oneLine('#include `<map>`'), '#include <map>');
    assert.equal(plainLine('  const x = argv[1] * `${$(y)}`;'), 'const x = argv[1] * `${$ (y)}`;');
  });

  it('show a line of code as it stands, and one of prose without its signs', () => {
    const passage = examplePassage('notes/systems/mast-power.md', 7, 10, 'Mast Power');
    const detail = (kind: Passage['kind'], text: string): string | undefined =>
      searchItems('battery $(x)', [{ passage: { ...passage, kind, text }, score: 1, folded: [], parts: {} }])[1]
        ?.detail;
    assert.equal(detail('function', 'x = battery_pack[1] or **kwargs'), 'x = battery_pack[1] or **kwargs');
    assert.equal(detail('section', 'The **battery** pack [1]'), 'The battery pack');
    assert.equal(searchItems('battery $(x)', [])[0]?.label, '$(arrow-right) battery $ (x)');
  });

  it('show the line that holds most of the question', () => {
    assert.deepEqual(
      bestLine(
        '---\nsystem: Mast\n---\nThe pack freezes\nbelow zero the battery pack rests',
        'battery pack below zero?',
      ),
      { text: 'below zero the battery pack rests', offset: 4 },
    );
    assert.deepEqual(bestLine('# Title\nother words', 'battery'), { text: 'other words', offset: 0 });
  });
});
