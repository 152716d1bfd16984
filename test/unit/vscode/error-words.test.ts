import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorInOneText, errorInWords } from '../../../src/vscode/error-words.ts';

describe('an error in words', () => {
  const error = { code: 'model-nonsense', message: 'Qwen says nothing that can be read.', advice: 'Choose another.' };
  const english = (message: string): string => message;
  const german = (message: string): string => `[${message}]`;

  it('is in its own words in English, and where its code is not known', () => {
    assert.equal(errorInWords(error, english), error);
    assert.equal(errorInOneText(error, english), 'Qwen says nothing that can be read. Choose another.');
    const unknown = { code: 'of-tomorrow', message: 'x' };
    assert.equal(errorInWords(unknown, german), unknown);
  });

  it('leads with a sentence for its code in another language, and keeps its own words', () => {
    assert.deepEqual(errorInWords(error, german), {
      ...error,
      message: '[The model’s reply can’t be used.]',
      advice: error.message,
    });
  });
});
