import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeNotices, type IndexNotice } from '../../../../src/search/domain/notices.ts';
import { noticesAfterUpdate, withRefusals, withUntidied } from '../../../../src/search/indexer/notices.ts';

describe('what people are told of an index', () => {
  const damaged: IndexNotice = { code: 'damaged', details: {} };
  const refused = (passages: number): IndexNotice => ({ code: 'passages-refused', details: { passages } });

  it('says how many passages the model refused as it is now, beside everything else', () => {
    const untidied = withUntidied([damaged, refused(1)], new Error('full'));
    assert.deepEqual(withRefusals(untidied, 3), [damaged, { code: 'untidied', details: { why: 'full' } }, refused(3)]);
    assert.deepEqual(withUntidied(withRefusals(untidied, 3), undefined), [damaged, refused(3)]);
    assert.deepEqual(withRefusals(withRefusals([damaged], 3), 0), [damaged]);
  });

  it('is fewer things once an update has ended', () => {
    const told = withUntidied([damaged, refused(2)], new Error('full'));
    assert.deepEqual(noticesAfterUpdate(told, 1), [{ code: 'rebuilt', details: {} }, refused(1)]);
    assert.deepEqual(noticesAfterUpdate([{ code: 'rebuilt', details: {} }], 0), []);
    assert.deepEqual(noticesAfterUpdate([{ code: 'growing-beside', details: {} }], 0), []);
  });

  it('becomes words where it is shown, in whatever language', () => {
    assert.equal(describeNotices([]), undefined);
    assert.match(
      describeNotices([damaged, refused(2)]) ?? '',
      /^The index was damaged\. .* your files\. 2 passages were refused/,
    );
    assert.match(describeNotices([refused(1)]) ?? '', /^1 passage was refused/);
    const german = (message: string, ...values: (string | number)[]) => `${values.join()} von ${message.length}`;
    assert.match(describeNotices([refused(2)], german) ?? '', /^2 von \d+$/);
    const why = 'x'.repeat(1_000);
    assert.match(describeNotices([{ code: 'untidied', details: { why } }]) ?? '', /tidied up: x{299}… It can/);
  });
});
