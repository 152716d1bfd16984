import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { causeInWords } from '../../../../src/search/domain/file-cause.ts';
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

  it('reads legacy encodings that a file declares, that a setting names, or that its bytes tell', () => {
    const cases: [name: string, hex: string, how: string, encoding: string, preferred?: string][] = [
      ['щитовая', 'f9e8f2eee2e0ff', '# -*- coding: cp1251 -*-\n# ', 'windows-1251'],
      ['насос', 'cec1d3cfd3', '<?xml version="1.0" encoding="KOI8-R"?><a>', 'koi8-r'],
      ['仓库', 'b2d6bfe2', '<html><meta charset="gb2312"><p>', 'gbk'],
      ['倉庫', 'ad dc ae 77', '<meta http-equiv=x content="text/html; charset=big5"><p>', 'big5'],
      ['冷却', '97e28b70', '', 'shift_jis', 'shiftjis'],
      ['насос', 'ede0f1eef1', '', 'windows-1251', 'windows1251'],
    ];
    for (const [words, hex, before, encoding, preferred] of cases) {
      const bytes = Buffer.concat([Buffer.from(before), Buffer.from(hex.replaceAll(' ', ''), 'hex')]);
      const read = decodeText(bytes, preferred);
      assert.ok(read.kind === 'text');
      assert.equal(`${read.encoding}:${read.text}`, `${encoding}:${before}${words}`);
      assert.equal(read.isGuessed, undefined, words);
    }
    // 备用钥匙放在三号仓库的铁柜里。 in GB18030
    const guessed = decodeText(Buffer.from('b1b8d3c3d4bfb3d7b7c5d4dac8fdbac5b2d6bfe2b5c4ccfab9f1c0efa1a3', 'hex'));
    assert.ok(guessed.kind === 'text' && guessed.isGuessed);
    assert.equal(guessed.text, '备用钥匙放在三号仓库的铁柜里。');
  });

  it('keeps UTF-8 whatever a setting or a declaration says, and tells a guess', () => {
    assert.equal(decoded(Buffer.from('# coding: latin-1\nFähre')), 'utf-8:# coding: latin-1\nFähre');
    const read = decodeText(Buffer.from('Fähre'), 'windows1251');
    assert.ok(read.kind === 'text' && read.text === 'Fähre' && !read.isGuessed);
    const latin = decodeText(Buffer.from('Die F\xe4hre f\xe4hrt um f\xfcnf Uhr \xfcber den See.', 'latin1'));
    assert.ok(latin.kind === 'text' && latin.isGuessed && latin.text.includes('fünf'));
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
