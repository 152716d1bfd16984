import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sanitiseText } from '../../../src/research/answer/inert-text.ts';
import { readReply, statementsOf } from '../../../src/research/answer/reading.ts';
import { Haystack, numbersIn, termsOf } from '../../../src/research/check/terms.ts';
import { cutAtMarks } from '../../../src/research/evidence/citations.ts';
import { estimateTokens } from '../../../src/research/language-model/context-window.ts';
import { jsonCandidates, jsonObject } from '../../../src/research/language-model/lenient-json.ts';
import { nonsenseIn } from '../../../src/research/language-model/nonsense.ts';
import { withoutThoughts } from '../../../src/research/language-model/thoughts.ts';
import { looksIn } from '../../../src/research/language-model/request-turn.ts';
import { longestHold } from '../../doubles/hostile-server.ts';
import { BORN, relayRetriever } from '../../doubles/relay-corpus.ts';
import { runResearch } from '../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../doubles/scripted-language-model.ts';

/** What holds a careless reader up, each over and over. */
const PIECES =
  `<!-- [ [[ { {{ {"a": ["", {"tool": " ' \` \`\`\` ( ) < <script <script> </script [a]( ![ ](x) [[a| a. x/ a:/ // /* /**/ ,
  https: data: Answer: … . ?! [1 .[1 [1] [1:2] [1:2, (a.ts: “ ‘ A A- a<b <think> </think> <tool_call> * _ > # 1 1. 1,1 - e\u0301 𐀀`
    .split(/\s+/)
    .concat([' ', ' \n', '\t', '> ', '- ', '. ', '``` ', '[1] ']);
const hostile = (piece: string, length: number, end = ''): string =>
  piece.repeat(Math.ceil(length / piece.length)) + end;

const readers: Record<string, (text: string) => unknown> = {
  sanitiseText,
  readReply,
  statementsOf,
  cutAtMarks,
  termsOf,
  numbersIn,
  estimateTokens,
  jsonCandidates,
  jsonObject,
  nonsenseIn,
  withoutThoughts: (text) => withoutThoughts(text, 'removed'),
  looksIn: (text) => looksIn(text, [{ name: 'search', description: '', parameters: {} }], 1),
  Haystack: (text) =>
    termsOf('The keeper is Jonas Berg, “nothing is lost”').map((term) => new Haystack([text]).holds(term)),
};

/** Milliseconds of work, whatever else the machine does. */
async function workOf(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}

describe('what reads a reply', function () {
  this.timeout(240_000);
  for (const [name, read] of Object.entries(readers))
    it(`${name} takes time that grows with the length of the text alone`, async () => {
      for (const piece of PIECES)
        for (const end of ['', 'x']) {
          const work = await workOf(() => read(hostile(piece, 40_000, end)));
          assert.ok(work < 2000, `${JSON.stringify(piece)}, then ${JSON.stringify(end)}: ${work} ms`);
        }
    });
});

describe('a run whose model replies without measure', function () {
  this.timeout(240_000);
  for (const [name, text] of Object.entries({
    '400 KB of comments': hostile('<!--', 400_000),
    '200 KB of spaces': hostile(' ', 200_000, 'x'),
    '100 KB of [': hostile('[', 100_000),
    '100 KB of {': hostile('{', 100_000),
    'an answer of 400 KB in one line': `Answer: ${hostile('word ', 400_000)}`,
    '100 KB of marks': `Answer: yes ${hostile('[1:1] . ', 100_000)}`,
  }))
    it(`ends, and holds nothing up: ${name}`, async () => {
      const work = await workOf(async () => {
        const held = await longestHold(async () => {
          const model = new ScriptedLanguageModel(() => text, { pieceLength: 200 });
          const run = await runResearch(BORN, { retriever: relayRetriever(), model });
          assert.ok(run.ending === 'run-end' || run.ending === 'run-error', run.ending);
        });
        assert.ok(held < 1500, `held everything for ${Math.round(held)} ms`);
      });
      assert.ok(work < 15_000, `${work} ms of work`);
    });
});
