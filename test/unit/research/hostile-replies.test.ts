import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { estimateTokens } from '../../../src/research/language-model/context-window.ts';
import { jsonCandidates } from '../../../src/research/language-model/lenient-json.ts';
import { requestStructured } from '../../../src/research/language-model/structured-reply.ts';
import {
  AnswerStream,
  citedNumbers,
  readAnswer,
  saysNothing,
  withoutMarks,
} from '../../../src/research/operators/prompts/read-answer.ts';
import { findQuote, inlineText } from '../../../src/research/answer/passage-lines.ts';
import { sanitiseText } from '../../../src/research/answer/sanitise-text.ts';
import { cueFeatures } from '../../../src/research/classify/question-cues.ts';
import { readThought } from '../../../src/research/operators/prompts/next-step.ts';
import { readRewritten } from '../../../src/research/run/follow-up.ts';
import { isRambling, readShortened } from '../../../src/research/operators/shorten-draft.ts';
import { expectedAnswer } from '../../../src/search/retrieval/expected-answer.ts';
import { nameForm, readNames } from '../../../src/search/text/names.ts';
import { splitSentences } from '../../../src/search/text/sentences.ts';
import { longestHold } from '../../doubles/hostile-server.ts';
import { only } from '../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../doubles/relay-corpus.ts';
import { runResearch } from '../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../doubles/scripted-language-model.ts';

/** What a reply is made of that holds a careless reader up: each over and over. */
const PIECES = [
  '<!--',
  ' ',
  '[',
  '[[',
  '{',
  '{{',
  '{"a":',
  '["",',
  '"',
  "'",
  '`',
  '``` ',
  '(',
  ')',
  '<',
  '<script',
  '<script>',
  '</script ',
  '[a](',
  '![',
  '](x)',
  '[[a|',
  'a.',
  'x/',
  'a:/',
  '//',
  '/*',
  '/**/',
  ',',
  ' \n',
  '\t',
  'no ',
  'not ',
  'https:',
  'data:',
  'answer ',
  'Answer: ',
  '…',
  '. ',
  '.',
  '?!',
  '[1',
  '[1, ',
  '.[1 ',
  '[1]',
  '“',
  '‘',
  'A ',
  'A-',
  'the answer is ',
  'so ',
  '<think>',
  '*',
  '_',
  '> ',
  '# ',
  '1',
  '1.',
  '- ',
  'e\u0301',
  '𐀀',
  'or ',
  'which ',
  'Which or, ',
];
const hostile = (piece: string, length: number, end = ''): string =>
  piece.repeat(Math.ceil(length / piece.length)) + end;

const readers: Record<string, (text: string) => unknown> = {
  sanitiseText,
  inlineText,
  withoutMarks,
  saysNothing,
  citedNumbers,
  readAnswer,
  readThought,
  nameForm,
  readNames,
  splitSentences,
  jsonCandidates,
  estimateTokens,
  cueFeatures,
  readRewritten: (text) => readRewritten(text, 'And who?'),
  readShortened: (text) => readShortened(text, 'Who?', text),
  isRambling: (text) => isRambling('Who?', text),
  expectedAnswer: (text) => expectedAnswer({ text, names: [] }),
  findQuote: (text) => findQuote(text, `${text.slice(-1000)}?`),
  'an answer as it is written': (text) => {
    const stream = new AnswerStream(() => {});
    for (let at = 0; at < text.length; at += 3) stream.write(text.slice(at, at + 3));
    stream.end();
  },
};

describe('what reads a reply', function () {
  this.timeout(120_000);
  for (const [name, read] of Object.entries(readers)) {
    it(`${name} takes time that grows with the length of the text alone`, () => {
      for (const piece of PIECES) {
        for (const end of ['', 'x', '\nx']) {
          const text = hostile(piece, 50_000, end);
          const started = performance.now();
          read(text);
          const took = performance.now() - started;
          assert.ok(
            took < 2500,
            `${JSON.stringify(piece)} × ${text.length / piece.length}, then ${JSON.stringify(end)}: ${Math.round(took)} ms`,
          );
        }
      }
    });
  }

  it('the worst of it at full length: 400 KB of comments that open, 200 KB of spaces', () => {
    const started = performance.now();
    for (const text of [
      hostile('<!--', 400_000),
      hostile(' ', 200_000, 'x'),
      hostile('[[', 400_000),
      hostile('</script ', 400_000),
    ]) {
      sanitiseText(text);
      readAnswer(text);
      jsonCandidates(text);
    }
    assert.ok(performance.now() - started < 5000);
  });

  it('a reply with ten thousand wrong entries is shown to the model again with what is wrong in short', async () => {
    const model = new ScriptedLanguageModel([`{"list":[${'1,'.repeat(5000)}1]}`, '{"list":["a"]}']);
    await requestStructured(model, {
      messages: [{ role: 'user', content: 'q' }],
      name: 'list',
      schema: z.object({ list: z.array(z.string()) }),
    });
    assert.ok((model.calls[1]?.messages.at(-1)?.content.length ?? 0) < 5000);
  });
});

describe('a run whose model replies without measure', function () {
  this.timeout(240_000);
  const texts: Record<string, string> = {
    '400 KB of comments': hostile('<!--', 400_000),
    '200 KB of spaces': hostile(' ', 200_000, 'x'),
    '100 KB of [': hostile('[', 100_000),
    '100 KB of {': hostile('{', 100_000),
    '100 KB of quotation marks': hostile('"', 100_000),
    '100 KB of backticks': hostile('`', 100_000),
    'an answer of 400 KB in one line': `Answer: ${hostile('word ', 400_000)}`,
    '100 KB of marks': `Answer: yes ${hostile('[1] . ', 100_000)}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`ends within seconds, and holds nothing up: ${name}`, async () => {
      const before = process.cpuUsage();
      const held = await longestHold(async () => {
        for (const operator of [
          'single-step',
          'iterative-step',
          'sub-step',
          'chain-of-thought',
          'adaptive-step',
        ] as const) {
          const run = await runResearch(BORN, {
            retriever: relayRetriever(),
            model: new ScriptedLanguageModel(() => text, { pieceLength: 200 }),
            options: only(operator),
          });
          assert.ok(run.ending === 'run-end' || run.ending === 'run-error', run.ending);
        }
      });
      const { user, system } = process.cpuUsage(before);
      assert.ok((user + system) / 1_000 < 15_000, `${Math.round((user + system) / 1_000)} ms of work`);
      assert.ok(held < 1500, `held everything for ${Math.round(held)} ms`);
    });
  }
});
