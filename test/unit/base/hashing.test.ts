import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hashOf, hashOfParts, hashShare } from '#base';

/** SHA-256 of `abc`, as FIPS 180-2 gives it (appendix B.1). */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('hashes', () => {
  it('are SHA-256 in hexadecimal digits, as many as are asked for', () => {
    assert.equal(hashOf('abc'), ABC);
    assert.equal(hashOf('abc', 12), 'ba7816bf8f01');
    assert.equal(hashOf(Buffer.from('abc')), ABC);
  });

  it('are the same for one content in parts', async () => {
    assert.equal(hashOf(['a', Buffer.from('bc')]), ABC);
    assert.equal(hashOf([]), hashOf(''));
    async function* parts(): AsyncGenerator<string | Uint8Array> {
      const buffer = Buffer.alloc(1);
      for (const letter of ['a', 'b']) {
        buffer.write(letter); // one buffer for all: each part is hashed before the next is made
        yield buffer;
      }
      yield 'c';
    }
    assert.equal(await hashOfParts(parts()), ABC);
    assert.equal(await hashOfParts(parts(), 24), ABC.slice(0, 24));
  });

  it('give a share of a text that is always the same', () => {
    assert.equal(hashShare('abc'), 0xba7816bf8f01 / 2 ** 48);
    const shares = Array.from({ length: 200 }, (_, i) => hashShare(`question ${i}`));
    assert.ok(shares.every((share) => share >= 0 && share < 1));
    assert.ok(Math.abs(shares.filter((share) => share < 0.3).length / 200 - 0.3) < 0.1);
  });
});
