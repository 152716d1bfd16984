import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutEntities } from '../../../../src/research/answer/entities.ts';
import { formatLead, formatQuote } from '../../../../src/research/answer/passage-lines.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';
import { quoteOf } from './quote-of.ts';

describe('entities in what is quoted', () => {
  it('are shown as their signs', () => {
    for (const [written, shown] of [
      ['1,250&nbsp;&deg;C', '1,250 °C'],
      ['caf&eacute; &#8211; na&#xEF;ve &ldquo;so&rdquo;', 'café – naïve “so”'],
      ['Marks &amp; Spencer&#39;s, AT&amp;T', "Marks & Spencer's, AT&T"],
      ['&Auml; and &auml;, &Prime; and &prime;', 'Ä and ä, ″ and ′'],
    ])
      assert.equal(withoutEntities(written ?? ''), shown);
  });

  it('stay where they could become a tag, a link or a mark, where they are code, and where they are none', () => {
    for (const text of [
      '&lt;script&gt;',
      '&#60;b&#62; &#x5b;1&#93; &#42; &#10; &#27;[31m &#0155;',
      'write `&nbsp;` for a space, or ``&deg;``',
      '&amp;lt; and &amp;#60;',
      'R&D; &unknown; &deg C & more',
      '&#55357; &#x110000; &#9999999;',
    ])
      assert.equal(withoutEntities(text), text);
  });

  it('are told of pages alone, and the quote keeps its place', () => {
    const html = 'The <b>tunnel\n  kiln</b> reaches 1,250&nbsp;&deg;C.';
    const page = notePassage('page', 'Kilns', `<p>${html}</p>`, { language: 'html', path: 'page.html' });
    const quote = quoteOf(page, html);
    assert.equal(formatLead(quote, '[1]'), '> The tunnel kiln reaches 1,250 °C. [1]');
    assert.equal(formatQuote(quote, '[1]'), '“The tunnel kiln reaches 1,250 °C.” [1]');
    assert.equal(quote.text, html, 'what is checked stays as it stands');
    const plain = notePassage('plain', 'Signs', 'Write 5&deg;C.', { language: 'plaintext', path: 'a.txt' });
    assert.equal(formatQuote(quoteOf(plain, 'Write 5&deg;C.'), '[1]'), '“Write 5&deg;C.” [1]');
  });
});
