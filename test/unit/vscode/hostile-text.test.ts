import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { filterPredicate } from '../../../src/search/store/lance-connection.ts';
import { storageError } from '../../../src/search/store/storage-errors.ts';
import { describeNotices } from '../../../src/search/domain/notices.ts';
import { splitAtMarks } from '../../../src/vscode/citation-marks.ts';
import { withoutPrivateWords } from '../../../src/vscode/commands/diagnosis.ts';
import { fileNameFrom } from '../../../src/vscode/commands/trail-formats.ts';
import { oneLine } from '../../../src/vscode/quick-answer/one-line.ts';
import { workspaceIndexUri } from '../../../src/vscode/settings.ts';
import { plainText } from '../../../webview/answer/citation-marks.ts';
import { tokenise } from '../../../webview/passage/tokenise.ts';

const MANY = 100_000;
/** Each took from ten seconds to hours where time grew with the square of the length. */
const LONGEST_MS = 4_000;

describe('text that is made to be slow to read', function () {
  this.timeout(60_000);
  const hostile = [
    '/',
    '-',
    ' ',
    '\n',
    '*',
    '`',
    '[',
    '[](',
    '<http:',
    '_ ',
    '> ',
    '`a``',
    '**a',
    'table ',
    '1 passage was ',
    '"',
    "'",
    '~~~\n',
  ].map((piece) => `a${piece.repeat(MANY / piece.length)}b`);
  for (const [name, read] of [
    ['a row of a list', oneLine],
    ['the name of a file', fileNameFrom],
    ['a diagnosis', withoutPrivateWords],
    ["an answer's marks", splitAtMarks],
    ['a rendered answer', plainText],
    ['a filter', (text: string) => filterPredicate({ paths: [text] })],
    ['an address', (text: string) => workspaceIndexUri(`s3://${text}`, 'w')],
    ['a notice', (text: string) => describeNotices([{ code: 'untidied', details: { why: text } }])],
    ['an error of the storage', (text: string) => storageError(new Error(text), 'read')],
    ...['markdown', 'typescript', 'python', 'yaml'].map(
      (language) => [`an excerpt of ${language}`, (text: string) => tokenise(text, language)] as const,
    ),
  ] as const) {
    it(`is soon read as ${name}`, () => {
      for (const text of hostile) {
        const began = performance.now();
        read(text);
        const took = performance.now() - began;
        assert.ok(took < LONGEST_MS, `${JSON.stringify(text.slice(0, 12))} took ${took} ms`);
      }
    });
  }
});
