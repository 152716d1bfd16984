import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { codeBlock, codeSpan, disarmMarks, sanitiseText } from '../../../../src/research/answer/inert-text.ts';

const cases: [string, string, string][] = [
  ['links', 'see [the map](https://evil.example/a_(b)) now', 'see the map now'],
  ['images', '![logo](https://evil.example/x.png)', 'logo'],
  ['a picture that is a link', '[![logo](https://a.example/x.png)](https://b.example)', 'logo'],
  ['command links', '[run](command:workbench.action.terminal.new)', 'run'],
  [
    'bare addresses',
    'go to https://evil.example/?q=1, or www.evil.example',
    'go to `https://evil.example/?q=1`, or `www.evil.example`',
  ],
  ['bare commands', 'click command:foo.bar?%5B1%5D', 'click `command:foo.bar?%5B1%5D`'],
  ['autolinks', 'x <https://evil.example> and <me@evil.example> y', 'x `https://evil.example` and me@evil.example y'],
  ['tags', 'a <img src=x onerror=alert(1)> b <b>c</b>', 'a ‹img src=x onerror=alert(1)› b c'],
  ['words in blocks, which stay apart', '<p>one</p>two<br>three', ' one two three'],
  ['items of a list', '<ul><li>ditto and</li><li>a map</li></ul>', '  ditto and, a map'],
  ['scripts, whose text is shown', 'a<script>alert(1)</script>b', 'a‹script›alert(1)‹/script›b'],
  ['tags hidden in tags', '<<b>script>alert(1)<</b>/script>', '‹script›alert(1)‹/script›'],
  [
    'definitions that would arm our marks',
    'see [1]\n\n[1]: https://evil.example',
    'see [1]\n\n(1): `https://evil.example`',
  ],
  ['a mark with a target', 'as said [1](https://evil.example)', 'as said [1]'],
  ['reference links', 'see [the map][x]', 'see the map'],
  ['marks side by side, which stay', 'true [1][2]', 'true [1][2]'],
  ['a line of a chat, which is no definition', '[Mara]: hello', '\\[Mara]: hello'],
  ['footnotes', 'x[^1]\n\n[^1]: the press', 'x[^1]\n\n\\[^1]: the press'],
  ['tags that a text speaks of', 'the <source> tap <!-- since 1870 -->', 'the ‹source› tap ‹!-- since 1870 -->'],
  ['wikilinks', 'see [[Kestrel Hut|the hut]] and [[Outage]]', 'see the hut and Outage'],
  ['hidden characters', 'a\u202eb\u200bc\u0007', 'abc'],
  ['type parameters, which are no tags', 'a Map<string, number> here', 'a Map‹string, number› here'],
  ['a placeholder of a command', 'run bat --pager <command> now', 'run bat --pager ‹command› now'],
  ['type parameters in type parameters', 'Map<string, List<int>> if x > 1', 'Map‹string, List‹int›› if x > 1'],
  ['comparisons, which stay', 'if a < b and c > d', 'if a < b and c > d'],
  [
    'comparisons behind something opened, which stay',
    'while (i <n && j >= 2) x >> 1 > y',
    'while (i ‹n && j >= 2) x >> 1 > y',
  ],
  ['what is closed already', 'the ‹hut› if x>1', 'the ‹hut› if x>1'],
];

describe('sanitised text', () => {
  for (const [name, dirty, clean] of cases) it(`handles ${name}`, () => assert.equal(sanitiseText(dirty), clean));

  it('keeps what a file says in code word for word', () => {
    const said = (text: string): string => sanitiseText(text);
    assert.equal(said('Use `<br>`, not <br> or `git pull <main>`.'), 'Use `<br>`, not   or `git pull <main>`.');
    assert.equal(said('[`<b>`](https://a.example) and `x``<i>`'), said('`<b>` and `x``<i>`'));
    assert.equal(said('a `Map<string, number>` of <b>these</b>'), 'a `Map<string, number>` of these');
  });

  it('renders nothing active, whatever goes in', () => {
    const markdown = new MarkdownIt({ html: true, linkify: true });
    const hostile = fc.array(
      fc.constantFrom(
        '[',
        ']',
        '(',
        ')',
        '!',
        '<',
        '>',
        'a',
        '1',
        ' ',
        '\n',
        ':',
        '"',
        '/',
        'https://e.example',
        'command:x',
        'javascript:x',
        'img src=x',
        'script',
        '[1]',
        '\\',
        '`',
        'www.e.example',
      ),
      { maxLength: 24 },
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        {
          const html = markdown.render(sanitiseText(parts.join('')));
          assert.doesNotMatch(html, /<(?!\/?(?:p|br|pre|code|em|strong|h[1-6]|ul|ol|li|blockquote|hr)\b)/);
          assert.doesNotMatch(html, /\b(?:href|src|onerror)\s*=\s*"/);
        }
      }),
      { numRuns: 3000, seed: 7 },
    );
  });

  it('shows what a file says of an address as code, and removes it where a span of code would not hold', () => {
    const shown = (text: string): string => sanitiseText(text);
    assert.equal(shown('RubyConf: https://rubyconf.example/2026'), 'RubyConf: `https://rubyconf.example/2026`');
    assert.equal(shown('see <https://a.example/b>.'), 'see `https://a.example/b`.');
    assert.equal(shown('see `x` at https://a.example'), 'see `x` at `https://a.example`');
    assert.equal(shown('run `curl https://a.example/b` first'), 'run `curl https://a.example/b` first');
    assert.equal(shown('see `x`https://a.example'), 'see `x` `https://a.example`');
    assert.equal(shown('see `x at https://a.example'), 'see `x at (address removed)');
    assert.equal(shown('see \\https://a.example'), 'see \\ `https://a.example`');
    assert.equal(shown('see [the map](https://a.example)'), 'see the map');
  });

  it('keeps foreign marks from looking like ours', () =>
    assert.equal(disarmMarks('as in [3], [ 4, 5 ] and a[i]'), 'as in (3), ( 4, 5 ) and a[i]'));
});

describe('code in an answer', () => {
  it('cannot end its span or its block', () => {
    assert.equal(codeSpan('a `b` c'), '``a `b` c``');
    assert.equal(codeSpan('`x'), '`` `x ``');
    assert.equal(codeBlock('x\n```\ny', 'ts'), '````ts\nx\n```\ny\n````');
    assert.equal(codeBlock('x', 'a b'), '```\nx\n```');
  });
});
