import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import {
  type Breakdown,
  type Excess,
  type FileCause,
  fileCause,
  keptCause,
  type PlainCause,
  causeInWords,
} from '../../../../src/search/domain/file-cause.ts';
import { inEnglish, type Translate } from '../../../../src/search/domain/notices.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../../../l10n/bundle.l10n.ja.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const japanese: Translate = (message, ...values) => inEnglish(bundle[message] ?? assert.fail(message), ...values);

type Code = FileCause['code'];
type Details<C extends Code> = Extract<FileCause, { code: C }>['details'];

/** Every case of which the code does not say all; the type checker asks for a line when one is added. */
const DETAILS: { [C in Exclude<Code, PlainCause>]: Details<C> } = {
  folder: { name: 'A', holds: 'cache' },
  extension: { extension: 'a' },
  pattern: { file: 'A' },
  overruled: { folder: 'A' },
  setting: { glob: 'A' },
  'too-large': { bytes: 6_000_000, most: 99_999 },
  'link-back': { to: 'A' },
  'link-within': { to: 'A' },
  disk: { said: 'A' },
  'slow-disk': { seconds: 3 },
  swapped: { by: 'link' },
  generated: { line: 3 },
  'begins-like': { kind: 'png' },
  'pdf-damaged': { said: 'A' },
  'word-damaged': { said: 'A' },
  'over-limit': { document: 'pdf', excess: { code: 'pages', details: { pages: 6_000, most: 5_000 } } },
  extraction: { broke: { code: 'failed', details: { said: 'A' } } },
  reading: {
    parser: { code: 'took-longer', details: { seconds: 3 } },
    asText: { code: 'needed-more', details: { megabytes: 4 } },
  },
  encoding: { encoding: 'A' },
  'in-part': { lines: 1, of: 2 },
  'as-text': { language: 'A', broke: { code: 'ended-process', details: { how: 'B' } } },
  refused: { passages: 3, said: 'A' },
  'encoded-data': { passages: 3 },
  said: { text: 'A' },
};

const ENGLISH: Readonly<Record<Code, string>> = {
  secrets: 'it may hold secrets; "!" and its name in .hoptrailignore keeps it',
  'own-rules': 'it says what is left out, and is no text to search',
  'file-manager': "the file manager's own data",
  'lock-file': 'a lock file, written by a package manager',
  'source-map': 'a source map',
  'link-to-folder': 'links to folders are not followed',
  'no-file': 'it is neither a file nor a folder',
  'no-content': 'the file has no content',
  'name-not-utf8': 'its name is not valid UTF-8',
  'link-outside': 'it links to a place outside of the folder',
  'link-circle': 'it links to itself in a circle',
  'link-to-nothing': 'it links to something that is not there',
  denied: 'permission denied',
  gone: 'it was there a moment ago and is gone',
  'no-folder': 'no such folder is there',
  grew: 'it grew beyond the limit while it was read',
  blank: 'the file has blank lines only',
  'first-line': 'its first line says that it is no text',
  'exported-thread': 'a thread that Hoptrail exported',
  'minified-by-name': 'its name and long lines say that it is minified or bundled',
  minified: 'its very long lines say that it is minified',
  'zero-bytes': 'it holds zero bytes',
  'utf16-controls': 'it looks like UTF-16 but holds mostly control characters',
  controls: 'it holds mostly control characters',
  'pdf-without-text': 'the PDF has pictures of text only, or none at all',
  'pdf-locked': 'the PDF asks for a password',
  'document-without-text': 'the document has no text',
  'conflicted-copy': 'a copy that a program made when two edits conflicted',
  'backup-copy': 'a copy that an editor made',
  'no-language': 'its text reads like no language: its passages get their vectors last',
  'ended-outside': 'something outside ended the process that read it',
  encoding: 'nothing declares its encoding: it was read as A',
  'in-part': 'its first 1 of 2 lines were read',
  'ended-twice': 'the index process ended twice while reading it',
  folder: 'A holds a cache',
  extension: '.a files hold no text',
  pattern: 'a pattern in A leaves it out',
  overruled: 'its patterns leave out the whole of A, which was opened: they are not applied there',
  setting: 'the setting A leaves it out',
  'too-large': '6.0 MB is more than the limit of 99999 bytes',
  'link-back': 'it links back to A',
  'link-within': 'it links to A, which is read under its own path',
  disk: 'A',
  'slow-disk': 'it was not there to be read within 3 s',
  swapped: 'a link took its place while it was read',
  generated: 'line 3 says that it is generated',
  'begins-like': 'it begins like a PNG picture',
  'pdf-damaged': 'the PDF is damaged (A)',
  'word-damaged': 'the Word document is damaged or encrypted (A)',
  'over-limit': 'the PDF has 6,000 pages, the limit is 5,000',
  extraction: 'taking the text out of it failed (A)',
  reading: 'its parser took longer than 3 s, and reading it as text needed more than 4 MB of memory',
  'as-text': 'the A parser ended the process that read it (B), read as text blocks',
  refused: 'passages that are found by words only, as the embedding model refused them: 3 (A)',
  'encoded-data': 'passages of encoded data (a picture, say), which are found by words only: 3',
  said: 'A',
};

const causes = (Object.keys(ENGLISH) as Code[]).map(
  (code) => ({ code, details: code in DETAILS ? DETAILS[code as keyof typeof DETAILS] : {} }) as FileCause,
);

describe('why a file is left out', () => {
  it('is said in English, and in the language of people', () => {
    for (const cause of causes) {
      assert.equal(causeInWords(cause), ENGLISH[cause.code], cause.code);
      const translated = causeInWords(cause, japanese, (said) => `${said}!`);
      if (!['disk', 'said'].includes(cause.code)) assert.match(translated, /[^\x00-\x7f]/, cause.code);
    }
    assert.equal(
      causeInWords({ code: 'refused', details: { passages: 1, said: 'full' } }, inEnglish, (said) =>
        said.toUpperCase(),
      ),
      'passages that are found by words only, as the embedding model refused them: 1 (FULL)',
    );
  });

  it('names the limit that a document breaks, and by how much', () => {
    const most = 2_000;
    const expected: readonly (readonly ['pdf' | 'word', Excess, string])[] = [
      [
        'pdf',
        { code: 'characters', details: { page: 1_200, most } },
        'the PDF has more text than 2,000 characters by its page 1,200, the limit is 2,000 characters',
      ],
      [
        'pdf',
        { code: 'page-takes', details: { page: 3, seconds: 5 } },
        'the PDF takes longer than 5 s over page 3, the limit is 5 s a page',
      ],
      [
        'word',
        { code: 'entries', details: { entries: 3_000, most } },
        'the Word document has 3,000 entries, the limit is 2,000',
      ],
      [
        'word',
        { code: 'elements', details: { elements: 3_000, most } },
        'the Word document has 3,000 elements, the limit is 2,000',
      ],
      [
        'word',
        { code: 'unpacked', details: { megabytes: 300, most: 200 } },
        'the Word document unpacks to 300 MB, the limit is 200 MB',
      ],
      [
        'word',
        { code: 'ratio', details: { times: 1_300, most: 200 } },
        'the Word document unpacks to 1,300 times its size, the limit is 200 times',
      ],
      [
        'word',
        { code: 'nesting', details: { depth: 3_000, part: 'a.xml', most } },
        'the Word document nests its elements 3,000 deep in a.xml, the limit is 2,000',
      ],
    ];
    for (const [document, excess, words] of expected) {
      assert.equal(causeInWords({ code: 'over-limit', details: { document, excess } }), words);
      assert.match(causeInWords({ code: 'over-limit', details: { document, excess } }, japanese), /[^\x00-\x7f]/);
    }
  });

  it('names the places and files that have no path', () => {
    assert.equal(causeInWords({ code: 'link-back', details: { to: '' } }), 'it links back to the folder itself');
    assert.equal(
      causeInWords({ code: 'pattern', details: {} }),
      "a pattern in git's global excludes file leaves it out",
    );
  });

  it('is kept as it is, and so is what an earlier version said in English', () => {
    for (const cause of causes) {
      assert.deepEqual(fileCause.parse(cause), cause);
      assert.deepEqual(keptCause(JSON.stringify(cause)), cause);
    }
    for (const text of ['permission denied', '{0} was said', '{"code":"of-a-later-version","details":{}}', ''])
      assert.equal(causeInWords(keptCause(text), japanese), text);
  });

  it('tells how reading broke down', () => {
    const broke: Breakdown = { code: 'ended-process', details: { how: 'SIGSEGV' } };
    assert.equal(
      causeInWords({ code: 'extraction', details: { broke } }),
      'taking the text out of it ended the process that read it (SIGSEGV)',
    );
  });
});
