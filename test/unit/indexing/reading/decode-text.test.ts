import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeText } from '../../../../src/indexing/reading/text/decode-text.ts';
import { SourceText } from '../../../../src/indexing/reading/text/source-text.ts';

const utf16 = (text: string, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};
const decoded = (bytes: Uint8Array): string => {
  const result = decodeText(bytes);
  return result.kind === 'text' ? `${result.encoding}:${result.text}` : `binary: ${result.why}`;
};

describe('decodeText', () => {
  it('reads UTF-8 with and without a byte order mark', () => {
    assert.equal(decoded(Buffer.from('Fähre')), 'utf-8:Fähre');
    assert.equal(decoded(Buffer.from('\ufeffFähre')), 'utf-8:Fähre');
  });

  it('reads UTF-16 in both orders, with a mark or recognised by its zeros', () => {
    assert.equal(decoded(utf16('\ufeffyö', false)), 'utf-16le:yö');
    assert.equal(decoded(utf16('\ufeffyö', true)), 'utf-16be:yö');
    assert.equal(decoded(utf16('plain words', false)), 'utf-16le:plain words');
    assert.equal(decoded(utf16('plain words', true)), 'utf-16be:plain words');
  });

  it('takes Latin-1 last', () => assert.equal(decoded(Buffer.from('Grüße', 'latin1')), 'latin1:Grüße'));

  it('keeps mostly sound UTF-8 with a few damaged bytes as UTF-8', () => {
    const text = 'ääkköset '.repeat(20);
    assert.equal(decoded(Buffer.concat([Buffer.from(text), Buffer.from([0xff])])), `utf-8:${text}\ufffd`);
  });

  it('knows binaries by their zeros, signatures and control characters', () => {
    assert.match(decoded(Buffer.from([1, 0, 0, 0, 7, 9, 200, 0])), /^binary: holds zero bytes/);
    assert.match(decoded(Buffer.from('\x89PNG\r\n', 'latin1')), /PNG/);
    assert.match(decoded(Buffer.from(Array.from({ length: 256 }, (_, i) => (i % 31) + 1))), /^binary: holds mostly control/);
  });
});

describe('SourceText', () => {
  it('counts lines as the editor does: at \\r\\n, \\n and a lone \\r', () => {
    const source = new SourceText('a\r\nb\rc\nd');
    assert.deepEqual(source.lines, ['a', 'b', 'c', 'd']);
    assert.equal(source.lineAt(source.text.indexOf('c')), 3);
    assert.equal(source.offsetOf(4), source.text.indexOf('d'));
    assert.equal(source.slice(2, 3), 'b\nc');
  });
});
