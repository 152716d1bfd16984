import assert from 'node:assert/strict';
import { APIError } from 'openai';
import { describe, it } from 'mocha';
import { reportError } from '#base';
import { judgeOpenAiFailure } from '../../../src/research/language-model/openai-failure.ts';
import { describeHolder } from '../../../src/search/domain/index-state.ts';
import { explainFailedStart } from '../../../src/search/process/start-daemon.ts';
import { NotTheWriterError, OtherRootsError, storageError } from '../../../src/search/store/storage-errors.ts';
import { errorInOneText, errorInWords, translateError } from '../../../src/vscode/said-in-errors.ts';
import { wordsOfErrors } from './words-of-errors.ts';

const loud = (message: string): string => message.toUpperCase();
/** What of a text stays in English, but for its values. */
const english = (text: string, values = /(?!)/g): string =>
  translateError(text, (message) => message.replace(/[a-z]/gi, '')).replace(values, '');

describe('errors in words', () => {
  it('are known to the last sentence, wherever the code makes one', () => {
    const words = wordsOfErrors();
    assert.ok(words.length > 200, `${words.length} texts of errors`);
    const unknown = words.filter(({ text }) => /[a-z]/i.test(english(text)));
    assert.deepEqual(
      unknown.map(({ at, text }) => `${at}: ${text}`),
      [],
      'give them words in src/vscode/said-in-errors.ts',
    );
  });

  it('keep their values, code and action', () => {
    assert.deepEqual(
      errorInWords(
        { code: 'model-quota', message: 'ab.example refused the call: too many requests.', action: 'retry' },
        loud,
      ),
      { code: 'model-quota', message: 'ab.example REFUSED THE CALL: TOO MANY REQUESTS.', action: 'retry' },
    );
    const { error } = judgeOpenAiFailure(new APIError(500, undefined, 'out of memory', new Headers()), {
      endpoint: 'localhost:1',
      model: 'm',
      keyed: false,
      now: 0,
    });
    assert.equal(
      errorInOneText(reportError(error), loud),
      'localhost:1 FAILED INSIDE (STATUS 500): out of memory. TRY AGAIN IN A WHILE; THE TROUBLE IS AT THE SERVER.',
    );
  });

  it('have their cause in words, too, where that is one of ours', () => {
    const error = storageError(new Error('lance error: not found'), 'read passages');
    assert.equal(english(error.message, /read passages|lance error: not found/g).replace(/\W/g, ''), '');
    for (const [how, output] of [
      ['SIGILL', ''],
      ['code 1', "Error: Cannot find module 'x'"],
      ['code 1', "version `GLIBC_2.28' not found"],
      ['spawn ENOENT', ''],
    ] as const) {
      const { why, advice } = explainFailedStart(how, output);
      const said = `The index process cannot be started: it keeps ending (${why})`;
      assert.equal(english(said, /'?x'?|spawn ENOENT|version `GLIBC_2\.28' not found/g).replace(/\W/g, ''), '', said);
      assert.equal(english(advice).replace(/[\W\d]/g, ''), '', advice);
    }
  });

  it('say who holds the lock, and for which folders an index is', () => {
    const beat = { file: '/i/l.lock', lastBeat: 0 };
    for (const holder of [
      beat,
      { ...beat, since: 5 },
      { ...beat, pid: 7, host: 'h' },
      { ...beat, pid: 7, host: 'h', since: 5 },
    ])
      assert.equal(english(describeHolder(holder), /\/i\/l\.lock|\bh\b/g).replace(/[\W\d]/g, ''), '');
    assert.match(translateError(new NotTheWriterError(beat).message, loud), /^ANOTHER .* THE LOCK \/i\/l\.lock/);
    assert.equal(
      translateError(new OtherRootsError([], ['/a']).message, loud),
      'THIS INDEX WAS MADE FOR IMPORTED PASSAGES, NOT FOR /a.',
    );
  });

  it('leave alone what is nobody’s of ours', () => {
    const said = { code: 'internal', message: 'Cannot read properties of undefined' };
    assert.deepEqual(errorInWords(said, loud), said);
  });
});
