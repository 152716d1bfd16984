import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeNotices, type IndexNotice } from '../../../../src/search/domain/notices.ts';
import { noticesAfterUpdate, withNotice } from '../../../../src/search/indexer/notices.ts';

describe('what people are told of an index', () => {
  const damaged: IndexNotice = { code: 'damaged', details: {} };
  const refused = (passages: number): IndexNotice => ({ code: 'passages-refused', details: { passages } });

  it('says how many passages the model refused as it is now, beside everything else', () => {
    const untidied = withNotice([damaged, refused(1)], 'untidied', { why: 'full' });
    const more = withNotice(untidied, 'passages-refused', { passages: 3 });
    assert.deepEqual(more, [damaged, { code: 'untidied', details: { why: 'full' } }, refused(3)]);
    assert.deepEqual(withNotice(more, 'untidied', undefined), [damaged, refused(3)]);
    assert.deepEqual(withNotice([damaged, refused(3)], 'passages-refused', undefined), [damaged]);
  });

  it('is fewer things once an update has ended', () => {
    const told = withNotice([damaged, refused(2)], 'untidied', { why: 'full' });
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
