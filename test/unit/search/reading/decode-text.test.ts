import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { causeInWords } from '../../../../src/search/domain/file-cause-words.ts';
import { decodeText } from '../../../../src/search/reading/text/decode-text.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';

const utf16 = (text: string, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};
const decoded = (bytes: Uint8Array): string => {
  const result = decodeText(bytes);
  return result.kind === 'text' ? `${result.encoding}:${result.text}` : `binary: ${causeInWords(result.why)}`;
};

describe('decodeText', () => {
  it('reads UTF-8 with and without a byte order mark', () => {
    assert.equal(decoded(Buffer.from('Fähre')), 'utf-8:Fähre');
    assert.equal(decoded(Buffer.from('\ufeffFähre')), 'utf-8:Fähre');
  });

  it('leaves out the colours and titles of a terminal, and no line', () => {
    const log =
      '\u001b[1;33mwarning\u001b[0m: 2 tests\n\u001b]0;build\u0007\u001b(Bdone\u001b[K\n\u001b] is one bracket\n';
    assert.equal(decoded(Buffer.from(log)), 'utf-8:warning: 2 tests\ndone\n\u001b] is one bracket\n');
    assert.equal(decoded(utf16(`\ufeff${log}`, false)), 'utf-16le:warning: 2 tests\ndone\n\u001b] is one bracket\n');
  });

  it('reads UTF-16 in both orders, with a mark or recognised by its zeros', () => {
    assert.equal(decoded(utf16('\ufeffyö', false)), 'utf-16le:yö');
    assert.equal(decoded(utf16('\ufeffyö', true)), 'utf-16be:yö');
    assert.equal(decoded(utf16('plain words', false)), 'utf-16le:plain words');
    assert.equal(decoded(utf16('plain words', true)), 'utf-16be:plain words');
  });

  it('reads UTF-16 without a mark in other scripts', () => {
    const texts = [
      '# Паром\n\nПаром через пролив выбрали весной. Решение приняла Инес.\n',
      '# 渡し船\n\n春に海峡の渡し船が選ばれました。イネスさんが決めました。\n',
      '# Το πλοίο\n\nΤο πλοίο επιλέχθηκε την άνοιξη.\n',
      '# 渡轮\n\n渡轮于春天选定，由伊内斯决定。\n',
      '# המעבורת\n\nהמעבורת נבחרה באביב.\n',
    ];
    for (const text of texts) {
      assert.equal(decoded(utf16(text, false)), `utf-16le:${text}`);
      assert.equal(decoded(utf16(text, true)), `utf-16be:${text}`);
    }
  });

  it('reads Markdown with damaged bytes here and there, in whatever script', () => {
    for (const text of [
      '# Fähre\n\nDie Fähre fährt.\n',
      '# Паром\n\nПаром через пролив.\n'.repeat(5),
      '# Ferry\n\nThe ferry crosses. '.repeat(20),
    ]) {
      for (const byte of [0x00, 0x80, 0xc3, 0xff]) {
        const bytes = Buffer.from(text.repeat(10));
        for (let at = 7; at < bytes.length; at += 150) bytes[at] = byte;
        const read = decoded(bytes);
        assert.doesNotMatch(read, /^binary/, `${text.slice(0, 8)} with ${byte}`);
        assert.match(read, new RegExp(text.slice(2, 6)), 'most of it is as it was');
        assert.ok(!read.includes('\0'));
      }
    }
  });

  it("reads Windows' code page with its quotes and dashes", () => {
    assert.equal(
      decoded(Buffer.from([0x93, 0x46, 0xe4, 0x68, 0x72, 0x65, 0x94, 0x20, 0x96, 0x20, 0x80, 0x35])),
      'windows-1252:“Fähre” – €5',
    );
  });

  it('leaves out tables of numbers, and random bytes with and without zeros', () => {
    const numbers = Buffer.alloc(8_000);
    for (let i = 0; i < 2_000; i++) numbers.writeInt32LE(i * 37, i * 4);
    assert.match(decoded(numbers), /^binary/);
    const shorts = Buffer.alloc(8_000);
    for (let i = 0; i < 4_000; i++) shorts.writeInt16LE(Math.round(Math.sin(i / 20) * 9_000), i * 2);
    assert.match(decoded(shorts), /^binary/);
    let state = 7;
    const random = Buffer.from(
      Array.from({ length: 8_000 }, () => ((state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >> 16) & 0xff),
    );
    assert.match(decoded(random), /^binary/);
    assert.match(decoded(random.map((byte) => byte || 1)), /^binary/);
  });

  it('takes Latin-1 last', () => assert.equal(decoded(Buffer.from('Grüße', 'latin1')), 'latin1:Grüße'));

  it('keeps mostly sound UTF-8 with a few damaged bytes as UTF-8', () => {
    const text = 'ääkköset '.repeat(20);
    assert.equal(decoded(Buffer.concat([Buffer.from(text), Buffer.from([0xff])])), `utf-8:${text}\ufffd`);
  });

  it('knows binaries by their zeros, signatures and control characters', () => {
    assert.match(decoded(Buffer.from([1, 0, 0, 0, 7, 9, 200, 0])), /^binary: it holds zero bytes/);
    assert.match(decoded(Buffer.from('\x89PNG\r\n', 'latin1')), /PNG/);
    assert.match(
      decoded(Buffer.from(Array.from({ length: 256 }, (_, i) => (i % 31) + 1))),
      /^binary: it holds mostly control/,
    );
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
