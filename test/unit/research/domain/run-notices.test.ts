import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { type RunNotice, type RunNoticeCode, runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import { inEnglish, type Translate } from '../../../../src/search/domain/notices.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../../../l10n/bundle.l10n.ja.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const japanese: Translate = (message, ...values) => inEnglish(bundle[message] ?? assert.fail(message), ...values);

type Said<C extends RunNoticeCode> = readonly (readonly [details: RunNotice<C>['details'], english: string])[];

/** Every code in English; the type checker asks for a line when one is added. */
const ENGLISH: { readonly [C in RunNoticeCode]: Said<C> } = {
  'question-cut': [
    [
      { most: 20_000, characters: 31_415 },
      'Only the first 20,000 characters of the question are looked at; it has 31,415.',
    ],
  ],
  'not-rewritten': [[{ said: 'A.' }, 'The question could not be rewritten to stand alone: A.']],
  'not-classified': [[{ said: 'A.' }, 'The question could not be classified: A.']],
  'awaits-index': [[{}, 'Files were being read for the first time: that was waited for.']],
  'still-indexing': [
    [{ passages: 0, share: 0 }, 'Files are still being read: nothing can be searched yet.'],
    [
      { passages: 10, share: 40 },
      'The index is not complete: 10 passages can be searched by words, 40 % of them by meaning.',
    ],
  ],
  'no-strategy': [[{ said: 'A.' }, 'No strategy could be chosen: A.']],
  'no-examples': [[{ said: 'A.' }, 'Examples of earlier runs could not be read: A.']],
  'plan-repaired': [
    [
      { problem: { code: 'twice' } },
      'The proposed plan was repaired: The plan uses an operator twice: the second time would find what the first found.',
    ],
    [
      { problem: { code: 'thinks-first', operator: 'chain-of-thought' } },
      'The proposed plan was repaired: The plan thinks before anything was looked up: chain-of-thought must come after.',
    ],
  ],
  'plan-replaced': [
    [
      { problem: { code: 'looks-nothing-up' } },
      'The proposed plan made no sense: The plan looks nothing up: the answer must come from the files. ' +
        'The usual plan for this type of question is used.',
    ],
    [
      { said: 'A said nothing' },
      'The model proposed no usable plan. A said nothing. The usual plan for this type of question is used.',
    ],
    [{}, 'The model proposed no usable plan. The usual plan for this type of question is used.'],
  ],
  'not-decomposed': [
    [{ several: true }, 'The model gave no usable sub-questions: the question is looked up as a whole.'],
    [{ several: false }, 'The model gave no usable sub-question: the question is looked up as a whole.'],
  ],
  'from-memory': [[{}, 'This step answers from the language model’s memory: no file was read for it.']],
  'step-failed': [[{ said: 'A.' }, 'A step failed and the plan goes on without it: A.']],
  'nodes-used': [[{ nodes: 20 }, 'All 20 steps that a question may take are used.']],
  'agent-failed': [[{ agent: 'A' }, 'One of the ways to answer ("A") failed; the others voted without it.']],
  'context-cut': [
    [
      { tokens: 4096, left: 1, of: 3, onTrail: 0, note: 'A.' },
      "To fit the model's context window of 4,096 tokens, Hoptrail left out 1 of 3 passages, " +
        'none of them on the trail. A.',
    ],
    [
      { tokens: 12_000, left: 4, of: 9, onTrail: 2 },
      "To fit the model's context window of 12,000 tokens, Hoptrail left out 4 of 9 passages, 2 of them on the trail.",
    ],
    [
      { tokens: 12_000, left: 4, of: 9 },
      "To fit the model's context window of 12,000 tokens, Hoptrail left out 4 of 9 passages.",
    ],
  ],
  'model-silent': [
    [{ model: 'A', seconds: 8, thinks: true }, 'No word yet from A: it has been thinking for 8 seconds.'],
    [{ model: 'A', seconds: 8, thinks: false }, 'No word yet from A: it has sent nothing for 8 seconds.'],
  ],
  'model-failed': [[{ said: 'A.' }, 'The language model failed: A. The answer is made of what was found without it.']],
  'budget-exhausted': [[{ said: 'A.' }, 'A. The answer is made of what was found until then.']],
  'speaks-to-model': [
    [
      { places: ['a.md:1'], more: 0 },
      'a.md:1 holds text that tries to give a language model orders. It was treated as text.',
    ],
    [
      { places: ['a.md:1', 'b.md:2', 'c.md:3'], more: 2 },
      'a.md:1, b.md:2, c.md:3 and 2 more hold text that tries to give a language model orders. It was treated as text.',
    ],
  ],
  'absent-words': [
    [{ words: ['CSRF'], part: false }, 'No file has this word of the question: “CSRF”.'],
    [{ words: ['CSRF', 'Fly'], part: false }, 'No file has these words of the question: “CSRF”, “Fly”.'],
    [{ words: ['CSRF'], part: true }, 'Nothing that was looked at has this word of the question: “CSRF”.'],
    [
      { words: ['CSRF', 'Fly'], part: true },
      'Nothing that was looked at has these words of the question: “CSRF”, “Fly”.',
    ],
  ],
  'answer-doubted': [
    [{ irrelevant: true, reason: 'A.' }, 'A last look at the answer found it irrelevant: A.'],
    [{ irrelevant: false, reason: 'A.' }, 'A last look at the answer found it unsupported: A.'],
  ],
};

const told = (Object.entries(ENGLISH) as [RunNoticeCode, Said<RunNoticeCode>][]).flatMap(([code, cases]) =>
  cases.map(([details, english]) => ({ notice: { code, details } as RunNotice, english })),
);

describe('what a run tells besides', () => {
  it('is said in English, and in the language of people', () => {
    for (const { notice, english } of told) {
      assert.equal(runNoticeInWords(notice), english);
      assert.match(runNoticeInWords(notice, japanese), /[^\x00-\x7f“”’]/, notice.code);
    }
  });

  it('has what errors and critiques said in that language, too', () => {
    const shouted = (said: string): string => said.toUpperCase();
    for (const { notice } of told) {
      const { said, reason } = notice.details as { said?: string; reason?: string };
      const foreign = said ?? reason;
      if (foreign !== undefined)
        assert.ok(runNoticeInWords(notice, inEnglish, () => 'ÄÖÜ').includes('ÄÖÜ'), `${notice.code}: ${foreign}`);
    }
    assert.match(runNoticeInWords({ code: 'no-strategy', details: { said: 'full' } }, inEnglish, shouted), /FULL$/);
  });

  it('ends what an error said with a full stop, unless it ends as a sentence of its language', () => {
    const replaced: RunNotice = { code: 'plan-replaced', details: { said: 'A said nothing.' } };
    for (const [said, ends] of [
      ['何も返しませんでした。', '何も返しませんでした。 The usual'],
      ['Why?', ' Why? The usual'],
      ['nothing', ' nothing. The usual'],
    ] as const)
      assert.ok(runNoticeInWords(replaced, inEnglish, () => said).includes(ends), said);
  });

  it('is shown as it is where an earlier version kept it, and not at all where only a later one knows it', () => {
    assert.equal(
      runNoticeInWords({ code: 'context-cut', message: 'Hoptrail shortened a.md.' }, japanese),
      'Hoptrail shortened a.md.',
    );
    assert.equal(runNoticeInWords({ code: 'of-a-later-version', details: {} } as unknown as RunNotice), '');
  });
});
