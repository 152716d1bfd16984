import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeCoverage } from '../../../../src/research/tools/agent-words.ts';

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
