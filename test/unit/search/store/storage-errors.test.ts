import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { IndexDamagedError, storageError } from '../../../../src/search/store/storage-errors.ts';

const codeOf = (message: string): unknown => (storageError(new Error(message), 'write') as { code?: unknown }).code;

describe('storage errors', () => {
  it('are named by what a person can do about them', () => {
    assert.equal(
      codeOf('LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)'),
      'disk-full',
    );
    assert.equal(codeOf('There is not enough space on the disk. (os error 112)'), 'disk-full');
    assert.equal(codeOf('LanceError(IO): Unable to create dir: Permission denied (os error 13)'), 'storage-read-only');
    assert.equal(codeOf('EROFS: read-only file system, open'), 'storage-read-only');
    assert.equal(codeOf('lance error: LanceError(IO): failed to fill whole buffer'), 'index-damaged');
    assert.equal(codeOf('lance error: LanceError(IO): does not have sufficient data, len: 8'), 'index-damaged');
    assert.equal(codeOf('lance error: operation timed out'), 'storage-failed');
    assert.equal(codeOf('Too many open files (os error 24)'), 'storage-failed');
    assert.equal(codeOf('something else'), 'storage-failed');
  });

  it('leave our own errors and cancellations alone', () => {
    const ours = new IndexDamagedError('x');
    assert.equal(storageError(ours, 'write'), ours);
    const aborted = new DOMException('stop', 'AbortError');
    assert.equal(storageError(aborted, 'write'), aborted);
  });
});
