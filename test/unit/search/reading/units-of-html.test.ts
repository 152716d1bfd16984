import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { readPage } from '../../../../src/search/reading/formats/html.ts';
import { markdownUnits } from '../../../../src/search/reading/formats/markdown/markdown-units.ts';
import { unitsOf } from './units-harness.ts';

describe('units of HTML', () => {
  it('end an item where the next one or the end of its list stands', async () => {
    const page = [
      '<ul><li>Ring the bell.<li>Lower the gate.<ol><li>Slowly.<li>By hand.</ol><li>Wait.</ul>',
      '<p>Call the keeper.</p>',
      '<div><ul><li>Ropes</div><p>Go home.</p>',
    ].join('\n');
    assert.deepEqual(await unitsOf('rules.html', page), [
      'item Ring the bell.',
      'item Lower the gate.',
      'item {Lower the gate.} Slowly.',
      'item {Lower the gate.} By hand.',
      'item Wait.',
      'sentence Call the keeper.',
      'item Ropes',
      'sentence Go home.',
    ]);
  });

  it('tell of few items above one, however many stand there', () => {
    const page = `<ul>${'<li>Ring the bell at the gate of the harbour.\n'.repeat(4_000)}</ul>`;
    const { units } = readPage(page);
    assert.equal(units.length, 4_000);
    assert.ok(units.every(({ context }) => context === undefined));
    const deep = '<ul><li>Ring the bell at the gate.'.repeat(2_000);
    for (const { context } of readPage(deep).units) assert.ok((context?.text.length ?? 0) < 400);
  });

  it('know the term of a meaning and the row before a row that were not closed', async () => {
    const page =
      '<dl><dt>Quorum<dd>Three of five.<dt>Term<dd>One leader.</dl><p>And so on.</p>' +
      '<table><tr><th>Berth<th>Depth<tr><td>North<td>4 m<tr><td>South<td>2 m</table>';
    assert.deepEqual(await unitsOf('terms.html', page), [
      'field {Quorum} Three of five.',
      'field {Term} One leader.',
      'sentence And so on.',
      'row {Berth | Depth} <tr><td>North<td>4 m',
      'row {Berth | Depth} <tr><td>South<td>2 m',
    ]);
  });

  it('of a table in a cell have a header of their own', async () => {
    const page =
      '<table><tr><th>Pier</th></tr><tr><td>East<table><tr><th>Berth</th></tr><tr><td>North</td></tr></table>' +
      '<p>It is old.</p></td></tr><tr><td>West</td></tr></table>';
    assert.deepEqual(await unitsOf('piers.html', page), [
      'row {Pier} <tr><td>East',
      'row {Berth} <tr><td>North</td></tr>',
      'sentence It is old.',
      'row {Pier} <tr><td>West</td></tr>',
    ]);
  });

  it('go on through tags within a line, old ones too', async () => {
    const page =
      '<p>Call <tt>open()</tt> before you <font color=red>read</font> the <svg><path d="M0"/></svg> <big>sign</big>.</p>' +
      '<v-card>Ropes here</v-card><v-card>Boats there</v-card>';
    assert.deepEqual(await unitsOf('call.html', page), [
      'sentence Call <tt>open()</tt> before you <font color=red>read</font> the <svg><path d="M0"/></svg> <big>sign</big>.',
      'sentence Ropes here',
      'sentence Boats there',
    ]);
  });

  it('read no tags where there are none', async () => {
    const page = [
      '<textarea>Type <li>here</textarea><p>One.</p>',
      '<iframe><li>No frames.</iframe><p>Two.</p>',
      '<xmp><ul><li>shown</xmp><p>Three.</p>',
    ].join('\n');
    assert.deepEqual(await unitsOf('form.html', page), [
      'sentence Type <li>here',
      'sentence One.',
      'sentence Two.',
      'sentence <ul><li>shown',
      'sentence Three.',
    ]);
  });

  it('know the item that a paragraph or a box goes on with, and take a place for no link', async () => {
    const page =
      '<ul><li><div><p>First rule.</p><p>It is old.</p></div></li></ul><a name="top"><p>The quay is open.</p>' +
      '<p><a href="/x">Home<p><a href="/y">Quay</a>';
    assert.deepEqual(await unitsOf('places.html', page), [
      'item First rule.',
      'item {First rule.} It is old.',
      'sentence The quay is open.',
    ]);
  });

  it('end a heading that was not closed at the next one', async () => {
    const page = '<h2>Keepers<h3>of ours</h3><ul><li><a href="/m">Mara</a></ul>';
    assert.deepEqual(await unitsOf('keepers.html', page), ['item {of ours} Mara']);
  });

  it('in Markdown are below the headings around them, and head what follows', () => {
    const text =
      '## Links\n\n<ul><li><a href="/m">Mara</a></ul>\n\n<h2 id="x">The gate</h2>\n\n<ul><li><a href="/o">Osric</a></ul>\n';
    const shown = markdownUnits(new SourceText(text), 1).map(
      ({ start, end, context }) => `{${context?.text ?? ''}} ${text.slice(start, end)}`,
    );
    assert.deepEqual(shown, ['{Links} Mara', '{The gate} Osric']);
  });
});
