import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shortDefinition, selectQuotes } from '../../../../src/research/answer/select-quotes.ts';
import type { Reading, ReadUnit } from '../../../../src/search/retrieval/retriever.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const codeOf = (text: string, language = 'go') =>
  notePassage('code', 'code', text, { path: `src/theme.${language}`, kind: 'code', language });
const wholeOf = (text: string, head: string): string | undefined => {
  const start = text.indexOf(head);
  const whole = shortDefinition(codeOf(text), { start, end: start + head.length });
  return whole && text.slice(whole.start, whole.end);
};

describe('a short definition', () => {
  const theme = 'func theme() string {\n\tif dark() {\n\t\treturn "dark"\n\t}\n\treturn "light"\n}';

  it('ends where its body does, by braces, by indentation or by a word', () => {
    assert.equal(wholeOf(`${theme}\n\nfunc other() {\n}`, 'func theme() string {'), theme);
    const python =
      'class Kiln:\n    def hot(self):\n        return self.heat > 900\n\n    def cold(self):\n        pass\n';
    assert.equal(wholeOf(python, 'def hot(self):'), 'def hot(self):\n        return self.heat > 900');
    assert.equal(wholeOf('def open\n  @gate.up\nend\nclose', 'def open'), 'def open\n  @gate.up\nend');
  });

  it('is none where it is long, has no body in view, or begins within a line', () => {
    const long = `func all() {\n${'\tstep()\n'.repeat(12)}}`;
    assert.equal(wholeOf(long, 'func all() {'), undefined);
    assert.equal(wholeOf('func cut() {', 'func cut() {'), undefined);
    assert.equal(wholeOf('x = (a) => {\n  b()\n}', '(a) => {'), undefined);
    assert.equal(wholeOf('def one(): return 1', 'def one():'), undefined);
  });

  it('is quoted whole, once, and gives way to a line of it that leads', () => {
    const passage = codeOf(theme);
    const unit = (words: string, score: number, kind: ReadUnit['kind']): ReadUnit => {
      const start = theme.indexOf(words);
      return { passageId: passage.id, text: words, start, end: start + words.length, score, ...(kind && { kind }) };
    };
    const quoted = (sentences: ReadUnit[], leading: number): string[] => {
      const reading: Reading = { answerability: 1, sentences };
      return selectQuotes(reading, [passage], 'answer', leading).map(({ text, leads }) => `${leads ?? false} ${text}`);
    };
    const head = unit('func theme() string {', 0.9, 'signature');
    const line = unit('return "light"', 0.8, 'statement');
    assert.deepEqual(quoted([head, line], 0), [`false ${theme}`]);
    assert.deepEqual(quoted([head, line], 1), [`true ${theme}`]);
    assert.deepEqual(quoted([{ ...line, score: 1 }, head], 1), ['true return "light"']);
  });
});
