import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatLead, formatQuote } from '../../../../src/research/answer/passage-lines.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';
import { quoteOf } from './quote-of.ts';

const plans = notePassage(
  'plans',
  'Plans',
  'Our plans:\n\n| Plan | Price | Term |\n| --- | ---: | --- |\n| Mast | 12 \\| 14 | 36 months |\n| Hut | 9 | none |\n',
);

describe('a sentence of reStructuredText', () => {
  it('is shown as it reads on the page', () => {
    const text =
      'See :ref:`the locks <lock-a>`, :pep:`602`, :py:func:`~gates.open` and :cpy-file:`gate.ac`, or `the plan <https://plan.example>`__ and `more`_.';
    const quote = quoteOf(notePassage('lock', 'Lock', text, { language: 'restructuredtext' }), text);
    const shown = 'See the locks, PEP 602, `open` and `gate.ac`, or the plan and more.';
    assert.equal(formatQuote(quote, '[1]'), `“${shown}” [1]`);
    assert.equal(formatLead(quote, '[1]'), `> ${shown} [1]`);
  });
});

describe('a sentence of AsciiDoc', () => {
  it('is shown by the words of its links', () => {
    const text =
      'Draught:: How deep [[deep]]a vessel lies, see xref:tides.adoc#low[low\ntides], <<flags,Flags>>, ' +
      '<<beam>> and https://example.org[the code] or link:a.html[].';
    const quote = quoteOf(notePassage('wharf', 'Wharf', text, { language: 'asciidoc' }), text);
    const shown = 'Draught: How deep a vessel lies, see low tides, Flags, beam and the code or a.html.';
    assert.equal(formatQuote(quote, '[1]'), `“${shown}” [1]`);
    assert.equal(formatLead(quote, '[1]'), `> ${shown} [1]`);
  });
});

describe('an entry of a manual page', () => {
  const text = [
    '.TP',
    '\\fB\\-d\\fR, \\fB\\-\\-depth\\fR \\fIMETRES\\fP',
    'Leaves out what is less deep, see',
    '.BR tides (5).',
    '.EX',
    'buoy \\-\\-depth 4',
    '.EE',
  ].join('\n');
  const note = notePassage('buoy', 'BUOY(1)', text, { language: 'roff', path: 'doc/buoy.1' });

  it('is shown as it reads on the page, its tag before a colon', () => {
    const quote = quoteOf(note, text.slice(4, text.indexOf('\n.EX')), { kind: 'field' });
    const shown = '-d, --depth METRES: Leaves out what is less deep, see tides(5).';
    assert.equal(formatQuote(quote, '[1]'), `“${shown}” [1]`);
    assert.equal(formatLead(quote, '[1]'), `> ${shown} [1]`);
  });

  it('has its example as code', () => {
    const quote = quoteOf(note, 'buoy \\-\\-depth 4', { kind: 'statement', context: { text: '-d' } });
    assert.equal(formatQuote(quote, '[1]'), '-d › `buoy --depth 4` [1]');
    assert.equal(formatLead(quote, '[1]'), '-d\n\n```\nbuoy --depth 4\n```\n\n`buoy.1:6` [1]');
  });
});

describe('words from the middle of a comment', () => {
  it('are told without the signs of its lines, however long these are', () => {
    for (const [sign, language] of [
      ['---', 'lua'],
      ['--', 'haskell'],
      ['///', 'rust'],
      ['##', 'nim'],
    ] as const) {
      const text = `${sign} Waits.\n${sign} It rings\n${sign} at noon.\n`;
      const passage = notePassage('gate', 'gate', text, { kind: 'code', language, path: 'gate' });
      const quote = quoteOf(passage, `It rings\n${sign} at noon.`, { kind: 'comment' });
      assert.ok(formatLead(quote, '[1]').startsWith('> It rings at noon. [1]'), formatLead(quote, '[1]'));
    }
  });

  const code = '/**\n * Depth of the buoy.\n *\n * In metres, and\n * never below 4.\n */\nconst depth = 4;';
  const buoy = notePassage('buoy', 'buoy', code, { kind: 'code', language: 'typescript', path: 'src/buoy.ts' });

  it('are told as words, without the signs of its lines', () => {
    const words = code.slice(code.indexOf('In metres'), code.indexOf('\n */'));
    const quote = quoteOf(buoy, words, { kind: 'comment', context: { text: 'const depth = 4;' } });
    assert.equal(formatQuote(quote, '[1]'), '“In metres, and never below 4.” in `const depth = 4;` [1]');
    assert.equal(formatLead(quote, '[1]'), '> In metres, and never below 4. [1]\n\n`buoy.ts:4` in `const depth = 4;`');
  });

  it('are no part of it where a comment is quoted whole: it leads above the line that it is about', () => {
    const lua = 'function wait(path)\n  -- The lock is taken first.\n  vim.wait(1000, held)\nend';
    const passage = notePassage('lock', 'wait', lua, { kind: 'function', language: 'lua', path: 'lock.lua' });
    const start = lua.indexOf('vim.wait');
    const context = { text: 'function wait(path) › vim.wait(1000, held)', start, end: start + 20 };
    const quote = quoteOf(passage, '-- The lock is taken first.', { kind: 'comment', context });
    const shown = 'function wait(path)\n  -- The lock is taken first.\n  vim.wait(1000, held)';
    assert.equal(formatLead(quote, '[1]'), `\`\`\`lua\n${shown}\n\`\`\`\n\n\`lock.lua:2\` [1]`);
  });

  it('are told without the signs of documentation, and without roles in Python', () => {
    const lines = [
      '#: The depth, at most',
      '#: 40, see :func:`~buoys.dive` and `the',
      '#: tables <tide>`_. It is no `float`.',
    ];
    const python = notePassage('buoy', 'buoy', lines.join('\n'), { kind: 'code', language: 'python', path: 'buoy.py' });
    const quote = quoteOf(python, lines.join('\n').slice(3), { kind: 'comment' });
    assert.equal(
      formatQuote(quote, '[1]'),
      '“The depth, at most 40, see `dive` and the tables. It is no `float`.” [1]',
    );
  });

  it('are told with the names of documentation in XML, and without its tags', () => {
    const text = '/// Opens the <see cref="T:Lock"/> by <paramref name="speed" /> turns,\n/// or <c>null</c>.';
    const gate = notePassage('gate', 'Gate', text, { kind: 'code', language: 'csharp', path: 'Gate.cs' });
    const quote = quoteOf(gate, text.slice(4), { kind: 'comment' });
    assert.equal(formatQuote(quote, '[1]'), '“Opens the `Lock` by `speed` turns, or `null`.” [1]');
  });

  it('are code where it is shown from its beginning', () => {
    const quote = quoteOf(buoy, code.slice(0, code.indexOf('\nconst')), { kind: 'comment' });
    assert.match(formatLead(quote, '[1]'), /^```typescript\n\/\*\*/);
  });
});

describe('a row of a table', () => {
  const row = '| Mast | 12 \\| 14 | 36 months |';

  it('stands with the first others where a whole table is quoted', () => {
    const text = Array.from({ length: 9 }, (_, i) => `| Hut ${i} | ${i} |`).join('\n');
    const quote = quoteOf(notePassage('huts', 'Huts', text), text, { kind: 'row' });
    assert.equal(formatQuote(quote, '[1]'), 'Hut 0 · 0; Hut 1 · 1; Hut 2 · 2; … [1]');
  });

  it('stands large as a table with its header cells, and in a list as its cells by their headers', () => {
    const quote = quoteOf(plans, row);
    assert.equal(
      formatLead(quote, '[2]'),
      '| Plan | Price | Term |\n| --- | --- | --- |\n| Mast | 12 \\| 14 | 36 months [2] |',
    );
    assert.equal(formatQuote(quote, '[2]'), '**Plan** Mast · **Price** 12 | 14 · **Term** 36 months [2]');
  });

  it('takes its header from its context where that is elsewhere', () => {
    const torn = notePassage('torn', 'Plans', row);
    const quote = quoteOf(torn, row, { kind: 'row', context: { text: 'Plan | Price | Term' } });
    assert.match(formatLead(quote, '[1]'), /^\| Plan \| Price \| Term \|\n/);
    assert.equal(formatLead(quoteOf(torn, row), '[1]'), '> Mast · 12 | 14 · 36 months [1]', 'no header is known');
    const other = quoteOf(torn, row, { kind: 'row', context: { text: 'Plan | Price' } });
    assert.equal(formatLead(other, '[1]'), '> Mast · 12 | 14 · 36 months [1]', 'cells that do not fit name nothing');
  });

  it('shows the addresses that stand in it, and links none', () => {
    const list = notePassage('list', 'Conferences', '| RubyConf | https://rubyconf.example |');
    assert.equal(formatQuote(quoteOf(list, list.text), '[1]'), 'RubyConf · `https://rubyconf.example` [1]');
  });

  it('stands large without a column of pictures', () => {
    const crew = notePassage('crew', 'Crew', '| <img src="mara.png" alt="Mara"> | Mara | Keeper |');
    const context = { text: 'Picture | Name | Role' };
    const lead = formatLead(quoteOf(crew, crew.text, { kind: 'row', context }), '[1]');
    assert.equal(lead, '| Name | Role |\n| --- | --- |\n| Mara | Keeper [1] |');
  });

  it('of a file with commas keeps what is quoted together', () => {
    const csv = notePassage('csv', 'Plans', 'plan,price\n"Mast, large",12\n', { kind: 'table', language: 'csv' });
    const quote = quoteOf(csv, '"Mast, large",12', { kind: 'row', context: { text: 'plan | price' } });
    assert.equal(formatQuote(quote, '[1]'), '**plan** Mast, large · **price** 12 [1]');
  });

  it('of reStructuredText has its cells where two blanks part them', () => {
    const table = notePassage('rst', 'Experts', 'asyncio    1st1, asvetlov', { language: 'restructuredtext' });
    const quote = quoteOf(table, table.text, { kind: 'row', context: { text: 'Module | Maintainers' } });
    assert.equal(formatQuote(quote, '[1]'), '**Module** asyncio · **Maintainers** 1st1, asvetlov [1]');
  });

  it('of AsciiDoc has its cells in one line or each in its own', () => {
    const text = '|up to 10 m\n|5 EUR\n\n|longer |12 EUR\na day';
    const table = notePassage('fees', 'Fees', text, { language: 'asciidoc' });
    const context = { text: 'Length | Fee' };
    const longer = quoteOf(table, '|longer |12 EUR\na day', { kind: 'row', context });
    assert.equal(formatQuote(longer, '[1]'), '**Length** longer · **Fee** 12 EUR a day [1]');
    assert.equal(
      formatLead(quoteOf(table, text, { kind: 'row', context }), '[1]'),
      '| Length | Fee |\n| --- | --- |\n| up to 10 m | 5 EUR |\n| longer | 12 EUR a day [1] |',
    );
  });

  it('of a page is read by its cells', () => {
    const html = notePassage('html', 'Plans', '<tr><td>Mast</td><td><b>12</b></td></tr>', { language: 'html' });
    const quote = quoteOf(html, html.text, { kind: 'row', context: { text: 'Plan | Price' } });
    assert.equal(formatQuote(quote, '[1]'), '**Plan** Mast · **Price** 12 [1]');
  });

  it('of HTML in a note is read by its cells, and several as several', () => {
    const text =
      '<table>\n  <tr>\n    <td>May Day</td>\n    <td>1 May, noon</td>\n  </tr>\n  <tr><td>Harvest</td></tr>';
    const note = notePassage('days', 'Days', text);
    const quote = quoteOf(note, text.slice(text.indexOf('<tr>')), { kind: 'row' });
    assert.equal(formatQuote(quote, '[1]'), 'May Day · 1 May, noon; Harvest [1]');
  });

  it('of HTML without a word in it is left out', () => {
    const text = '<tr>\n<td><ul><li>Rows well</li></ul></td>\n</tr>\n<tr>\n<td></td>\n</tr>\n<tr>\n<td>';
    const note = notePassage('ladder', 'Ladder', text);
    assert.equal(formatQuote(quoteOf(note, text, { kind: 'row' }), '[1]'), 'Rows well [1]');
    assert.equal(formatLead(quoteOf(note, text, { kind: 'row' }), '[1]'), '> Rows well [1]');
  });

  it('gives no link and no mark of the document away', () => {
    const evil = notePassage('evil', 'T', '| A |\n| --- |\n| [x](https://evil.example/) [7] <b>b</b> |');
    const lead = formatLead(quoteOf(evil, '| [x](https://evil.example/) [7] <b>b</b> |'), '[1]');
    assert.equal(lead, '| A |\n| --- |\n| x (7) b [1] |');
  });
});

describe('several lines of code', () => {
  it('stand in a list below their place, as far to the left as they can', () => {
    const text = 'def check(kiln):\n    if kiln.hot:\n        raise TooHot()\n    return kiln';
    const code = notePassage('kiln', 'check', text, { kind: 'function', language: 'python', path: 'src/kiln.py' });
    const quote = quoteOf(code, 'if kiln.hot:\n        raise TooHot()', { kind: 'error' });
    assert.equal(
      formatQuote(quote, '[1]'),
      '`kiln.py:2` [1]\n  ```python\n  if kiln.hot:\n      raise TooHot()\n  ```',
    );
  });
});
