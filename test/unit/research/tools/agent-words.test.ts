import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeCoverage, describeReferences } from '../../../../src/research/tools/agent-words.ts';

const WHY = { code: 'no-content', details: {} } as const;
const coverage = { files: 310, passages: 5154, embedded: 3120, indexing: true };

describe('describeCoverage', () => {
  it('says how much was searched, what was left out and why, and that more is to come', () => {
    const skipped = [
      { path: 'a.log', reason: 'too-large' as const, why: WHY },
      { path: 'b.bin', reason: 'binary' as const, why: WHY },
      { path: 'c.bin', reason: 'binary' as const, why: WHY },
    ];
    assert.equal(
      describeCoverage(coverage, skipped),
      'Searched 5,154 passages of 310 files by words, 3,120 of 5,154 passages by meaning; 3 files or folders ' +
        'left out: 2 binary, 1 too-large (for example a.log). The index is still being built: more will be found ' +
        'later.',
    );
  });

  it('is short where everything was searched', () => {
    assert.equal(
      describeCoverage({ files: 1, passages: 2, embedded: 2, indexing: false }, []),
      'Searched 2 passages of 1 file by words, all of them by meaning.',
    );
  });
});

describe('describeReferences', () => {
  const skipped = [{ path: 'generated.ts', reason: 'too-large' as const, why: WHY }];

  it('says which files were looked through and what was left out, and nothing of passages', () => {
    assert.equal(
      describeReferences({ complete: true, coverage: { ...coverage, indexing: false } }, skipped),
      'Looked through the references of 310 files; 1 file or folder left out: 1 too-large (for example generated.ts).',
    );
  });

  it('claims no file that is still to be read, and none of an index that knows no references', () => {
    assert.equal(
      describeReferences({ complete: false, coverage }, []),
      'Looked through the references of at most 310 files. The index is still being built: more will be found later.',
    );
    assert.equal(
      describeReferences({ complete: false, coverage: { ...coverage, indexing: false } }, []),
      'This index does not know the references of its 310 files.',
    );
  });
});
