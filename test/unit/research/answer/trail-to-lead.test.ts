import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Quote } from '../../../../src/research/answer/quote.ts';
import { trailToLead } from '../../../../src/research/answer/trail.ts';
import type { Hop, PassageChain } from '../../../../src/search/domain/passage-chain.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

describe('the trail to what leads', () => {
  const [changes, roadmap, policy] = [
    notePassage('changes', 'Changes', 'Security: dependencies are new.'),
    notePassage('roadmap', 'Roadmap', 'Version 4 gets security fixes until December.'),
    notePassage('policy', 'Policy', 'Report what you find.'),
  ];
  const hop = (passage: Passage): Hop => ({ passage, score: 1, why: { kind: 'question', terms: [] } });
  const chain = (...passages: Passage[]): PassageChain => ({ hops: passages.map(hop), score: 2, completeness: 0.5 });
  const quote = (passage: Passage, leads = false): Quote => ({
    passage,
    start: 0,
    end: passage.text.length,
    text: passage.text,
    score: 1,
    ...(leads && { leads }),
  });
  const asked = 'Until when does version 4 get security fixes?';
  const pathsOf = ({ hops }: PassageChain): string[] => hops.map(({ passage }) => passage.id);

  it('is the one that was found where what leads stands on it', () => {
    const found = chain(changes, roadmap);
    assert.equal(trailToLead(found, [quote(changes), quote(roadmap, true)], asked), found);
    assert.equal(trailToLead(found, [], asked), found);
  });

  it('begins anew where nothing of it is quoted, and says why what leads was found', () => {
    const trail = trailToLead(chain(changes), [quote(roadmap, true), quote(policy)], asked);
    assert.deepEqual(pathsOf(trail), ['roadmap']);
    assert.deepEqual(trail.hops[0]?.why.because, { code: 'matches', terms: ['version', 'security', 'fixes'] });
  });

  it('goes on to what leads where something of it is quoted', () => {
    assert.deepEqual(pathsOf(trailToLead(chain(changes), [quote(changes), quote(roadmap, true)], asked)), [
      'changes',
      'roadmap',
    ]);
  });

  it('leads to the first quote where none stands large', () => {
    assert.deepEqual(pathsOf(trailToLead(chain(changes), [quote(policy), quote(roadmap)], 'Who?')), ['policy']);
    assert.deepEqual(trailToLead(chain(changes), [quote(policy)], 'Who?').hops[0]?.why.because, {
      code: 'near-question',
    });
  });
});
