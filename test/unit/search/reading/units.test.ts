import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isProsePassage } from '../../../../src/search/domain/passage.ts';
import { headerCells } from '../../../../src/search/domain/unit.ts';
import { textUnits } from '../../../../src/search/reading/units/prose-units.ts';
import { fixturesFolder } from './reading-harness.ts';
import { passagesOf, unitsOf } from './units-harness.ts';

describe('units of evidence', () => {
  it('of Markdown are sentences, fields, items with those above them, rows with their header', async () => {
    const text = [
      '---',
      'title: Suppliers',
      'layout: page',
      'owner: Ada Vuori',
      'tags:',
      '  - power',
      '---',
      '# Suppliers',
      '',
      '![logo](logo.png)',
      '',
      'See `a. B` and [v1.2. Notes](x.md). It costs 3.5 pounds.',
      '',
      '**Account number:** 461',
      '**Contact:** Mast Power',
      '',
      '> [!NOTE]',
      '> Ask before noon.',
      '',
      'Opening hours:',
      '',
      '- Weekdays',
      '  - until 17:00, on the quay',
      '- [Sundays](sunday.md)',
      '',
      '| Plan | Price | Term |',
      '|---|--:|---|',
      '| Basic | 12 EUR | 36 months |',
      '| Big | 40 EUR | |',
      '',
      'Run this:',
      '',
      '```sh',
      'npm ci && npm test',
      '```',
    ].join('\n');
    assert.deepEqual(await unitsOf('notes/suppliers.md', text), [
      'field owner: Ada Vuori',
      'field tags:\n  - power',
      'sentence See `a. B` and [v1.2. Notes](x.md).',
      'sentence It costs 3.5 pounds.',
      'field **Account number:** 461',
      'field **Contact:** Mast Power',
      'sentence Ask before noon.',
      'item {Opening hours:} Weekdays',
      'item {Opening hours: › Weekdays} until 17:00, on the quay',
      'item {Opening hours:} [Sundays](sunday.md)',
      'row {Plan | Price | Term} | Basic | 12 EUR | 36 months |',
      'row {Plan | Price | Term} | Big | 40 EUR | |',
      'statement {Run this:} npm ci && npm test',
    ]);
  });

  it('of a paragraph with a heading of its own know it, after the first as its context', async () => {
    const text =
      '# Votes\n\n**Quorum.** All keepers vote. A vote needs half of them. **Not** the guests.\n\n**Bold** words. And more.\n';
    assert.deepEqual(await unitsOf('votes.md', text), [
      'sentence **Quorum.** All keepers vote.',
      'sentence {Quorum} A vote needs half of them.',
      'sentence {Quorum} **Not** the guests.',
      'sentence **Bold** words.',
      'sentence And more.',
    ]);
  });

  it('of a long item know the term that it begins with', async () => {
    const term = '`timeout` (number) - how long the keeper waits for vessels that have come before the bell was rung.';
    const more =
      'It is not meant for those that come behind, nor for any that anchor in the outer basin, and it can be ended at ' +
      'any time by hand where the harbour master says so, or by the flood, which nobody can hold back. ' +
      'Those that wait are told by lamp.';
    const text = `- ${term} ${more} Defaults to 5 minutes.\n`;
    const units = await unitsOf('gate.md', text);
    assert.equal(units[0], `item ${term}`);
    assert.equal(units.at(-1), 'item {`timeout`} Defaults to 5 minutes.');
  });

  it('of Markdown are never shown below half a link', async () => {
    const address = `https://example.org/open?${'i=33qlfie6ep&'.repeat(12)}`;
    const items = [`- [the keeper’s account](${address}) is the usual one.`, '  - It may read, and nothing else.'];
    assert.deepEqual((await unitsOf('accounts.md', [...items, ''].join('\n'))).slice(1), [
      'item {the keeper’s account is the usual one.} It may read, and nothing else.',
    ]);
  });

  it('of a text that Markdown shows as an example are those of a text', async () => {
    const text = [
      '- A charter says:',
      '',
      '  ```markdown',
      '  # Charter',
      '',
      '  At most a third of the members',
      '  have the same employer. They meet weekly.',
      '',
      '  - Mara',
      '  ~~~md',
      '  Not read deeper.',
      '  ~~~',
      '  ```',
      '',
      '```md',
    ].join('\n');
    assert.deepEqual(await unitsOf('a.md', text), [
      'item A charter says:',
      'sentence At most a third of the members\n  have the same employer.',
      'sentence They meet weekly.',
      'item Mara',
      'statement Not read deeper.',
    ]);
  });

  it('of MDX are those of Markdown, without what a page takes in', async () => {
    const text = await readFile(path.join(fixturesFolder, 'web/quays.mdx'), 'utf8');
    assert.deepEqual(await unitsOf('quays.mdx', text), [
      "import import { QuayView } from './QuayView.tsx';",
      'sentence The north quay takes <QuayView limit={3} /> of the ferries.',
      'sentence At night the **north quay** is closed, see [the rules](../notes/rules.md).',
    ]);
    assert.ok((await passagesOf('quays.mdx', text)).every(isProsePassage));
  });

  it('of a long table keep the header that stands in another passage', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => `| Member number ${i} | @member${i} | ${i + 1}-02-2023 |`);
    const passages = await passagesOf(
      'owners.md',
      ['# Owners', '', '| Name | Handle | Since |', '|---|---|---|', ...rows].join('\n'),
    );
    assert.ok(passages.length > 2);
    const last = passages.at(-1)?.units ?? [];
    assert.deepEqual(last.at(-1)?.context, { text: 'Name | Handle | Since' });
    const all = passages.flatMap(({ units }) => units ?? []);
    assert.equal(all.filter(({ kind }) => kind === 'row').length, rows.length);
    const [header] = all;
    const { text = '' } = passages[0] ?? {};
    assert.equal(text.slice(header?.context?.start, header?.context?.end), '| Name | Handle | Since |');
  });

  it('of lists of links alone are told by their heading, and other links are none', async () => {
    assert.deepEqual(
      await unitsOf('repos.md', '# Repositories of ours\n\n- [a/trop](https://x.y/trop)\n\n[Home](index.md)\n'),
      ['item {Repositories of ours} [a/trop](https://x.y/trop)'],
    );
  });

  it('of YAML are the sentences of a text over several lines, and the lines of a script', async () => {
    const yaml = [
      'stale:',
      '  message: >',
      '    This request has been quiet for 30 days. Is it still being worked',
      '    on? It will be closed in 14 days.',
      '  run: |',
      '    cd harbour && npm ci',
      '    npm run build --silent',
      '  setup: |',
      '    sudo apt-get update',
      '    sudo apt-get install cmake ninja clang',
      '  days: 30',
    ].join('\n');
    assert.deepEqual(await unitsOf('stale.yml', yaml), [
      'field {stale › message} This request has been quiet for 30 days.',
      'field {stale › message} Is it still being worked\n    on?',
      'field {stale › message} It will be closed in 14 days.',
      'field {stale › run} cd harbour && npm ci',
      'field {stale › run} npm run build --silent',
      'field {stale › setup} sudo apt-get update',
      'field {stale › setup} sudo apt-get install cmake ninja clang',
      'field {stale} days: 30',
    ]);
  });

  it('of data are lines under the keys that lead to them; of CSV rows under their columns', async () => {
    assert.deepEqual(
      await unitsOf('ci.yaml', 'on: push\njobs:\n  lint:\n    runs-on: linux\n    steps:\n      - run: make\n'),
      ['field on: push', 'field {jobs › lint} runs-on: linux', 'field {jobs › lint › steps} - run: make'],
    );
    assert.deepEqual(await unitsOf('a.json', '{\n  "name": "x",\n  "engines": {\n    "node": ">=20"\n  }\n}\n'), [
      'field "name": "x",',
      'field {engines} "node": ">=20"',
    ]);
    assert.deepEqual(await unitsOf('t.csv', 'berth,price\nNorth,"1,200"\nSouth,9\n'), [
      'row {berth | price} North,"1,200"',
      'row {berth | price} South,9',
    ]);
  });

  it('of HTML leave out scripts and headings, and read rows, items and definitions', async () => {
    const text = [
      '<html><head><title>Help</title><script>let a. B;</script></head><body>',
      '<h1>Quay</h1>',
      '<p>The quay is <b>open</b>. It shuts at six.</p>',
      '<ul><li>Ropes<ul><li>10 m</li></ul></li></ul>',
      '<dl><dt>VHF</dt><dd>channel 16</dd></dl>',
      '<table><tr><th>Berth</th><th>Depth</th></tr><tr><td>North</td><td>4 m</td></tr></table>',
      '</body></html>',
    ].join('\n');
    assert.deepEqual(await unitsOf('help.html', text), [
      'statement let a. B;',
      'sentence The quay is <b>open</b>.',
      'sentence It shuts at six.',
      'item Ropes',
      'item {Ropes} 10 m',
      'field {VHF} channel 16',
      'row {Berth | Depth} <tr><td>North</td><td>4 m</td></tr>',
    ]);
  });

  it('of a template are what the page says, and none of its orders', async () => {
    const page = [
      '{% extends "base.njk" %}',
      '{% block body %}',
      '<p>The quay shuts at six.</p>',
      '{{ list({',
      '  items: ropes',
      '}) }}',
      '<% if (late) { %>',
      '<p>Ring {{ keeper }} at the gate.</p>',
      '<% } %>',
      '{% endblock %}',
    ].join('\n');
    for (const name of ['quay.njk', 'quay.html', 'quay.erb']) {
      assert.deepEqual(
        await unitsOf(name, page),
        ['sentence The quay shuts at six.', 'sentence Ring {{ keeper }} at the gate.'],
        name,
      );
    }
  });

  it('are whole where only the addresses of their links make them long', async () => {
    const link = (name: string): string => `[${name}](https://portal.example/${'networks/'.repeat(40)}${name})`;
    const sentence = `Boats go through ${link('gate-1')}\nand should take ${link('gate-0')} when that one is shut.`;
    assert.deepEqual(await unitsOf('gates.md', sentence), [`sentence ${sentence}`]);
  });

  it('are none of half an address, however long it is', async () => {
    const address = `https://log.example/?sql=${'select+depth,'.repeat(400)}`;
    const units = await unitsOf('log.md', `The whole query is [here](${address}). It takes a while.`);
    assert.equal(units.length, 2);
    assert.match(units[0] ?? '', /^sentence The whole query is \[here\]\(https:/);
    assert.equal(units[1], 'sentence It takes a while.');
  });

  it('of HTML are no links alone, but for a list below its heading', async () => {
    const item = (name: string): string => `<li><a href="/${name}.html">${name} page</a></li>`;
    const list = (...names: string[]): string => `<ul>${names.map(item).join('')}</ul>`;
    assert.deepEqual(await unitsOf('nav.html', `${list('Quay', 'Ropes')}<p><a href="/">Home</a></p>`), []);
    const page = `<h2>Keepers <b>of ours</b></h2>${list('Mara')}<p>See <a href="/x">the log</a>.</p><ul><li>Ropes ${list('Long')}</li></ul>`;
    assert.deepEqual(await unitsOf('page.html', page), [
      'item {Keepers of ours} Mara page',
      'sentence See <a href="/x">the log</a>.',
      'item Ropes',
      'item {Ropes} Long page',
    ]);
  });

  it('keep the place of an empty header cell, in Markdown and in HTML', async () => {
    const html =
      '<table><tr><th></th><th>Low</th><th></th><th>High</th></tr><tr><td>North</td><td>4 m</td></tr></table>';
    assert.deepEqual(await unitsOf('a.html', html), ['row {| Low | | High} <tr><td>North</td><td>4 m</td></tr>']);
    const markdown = '| | Low | | High |\n|---|---|---|---|\n| North | 4 m | | 9 m |\n';
    assert.deepEqual(await unitsOf('a.md', markdown), ['row {| Low | | High} | North | 4 m | | 9 m |']);
    assert.deepEqual(headerCells('| Low | | High'), ['', 'Low', '', 'High']);
    assert.deepEqual(headerCells('Plan | a|b |'), ['Plan', 'a|b', '']);
  });

  it('of text that nothing is known about are its sentences, items and fields, or its lines', () => {
    const text = '# Lunch\n\nSoup, e.g. of peas. Bread\n- salt\nPrice: 4 EUR\n';
    const shown = (family: 'code' | 'prose'): string[] =>
      textUnits(text, family).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);
    assert.deepEqual(shown('prose'), [
      'sentence Soup, e.g. of peas.',
      'sentence Bread',
      'item salt',
      'field Price: 4 EUR',
    ]);
    assert.equal(shown('code').length, 4);
  });

  it('lie inside of their passage, in order, and are not empty, whatever the text', async () => {
    const parts = [
      '- ',
      '* ',
      '| a | b |',
      '|---|---|',
      '```',
      '\n',
      '\n\n',
      'Word. Word',
      '<td>',
      '</tr>',
      ': x',
      '# H',
      '**K:** v',
      '> ',
      '    ',
      '[a](b)',
      '---',
      '`',
    ];
    let state = 7;
    const next = (): string => parts[(state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % parts.length] ?? '';
    for (let n = 0; n < 150; n++) {
      const text = Array.from({ length: 40 }, next).join('');
      for (const path of ['a.md', 'a.html', 'a.txt', 'a.yaml'])
        for (const passage of await passagesOf(path, `x${text}`)) {
          let before = 0;
          for (const { start, end, context } of passage.units ?? []) {
            assert.ok(start >= before && end > start && end <= passage.text.length, `${path}: ${JSON.stringify(text)}`);
            assert.equal(passage.text.slice(start, end).trim(), passage.text.slice(start, end));
            if (context?.end !== undefined) assert.ok(context.end <= passage.text.length);
            before = start;
          }
        }
    }
  });
});
