import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PassageProfiles } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../../src/search/retrieval/question.ts';
import { embedSentences } from '../../../../../src/search/retrieval/reader/read-passages.ts';
import { sentencesOf } from '../../../../../src/search/retrieval/reader/read-units.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';
import { WordEmbedder } from '../../../../doubles/word-embedder.ts';

describe('the units that are compared by meaning', () => {
  const embedder = new WordEmbedder();

  async function embedded(texts: readonly string[]): Promise<boolean[]> {
    const question = profileQuestion('Who repaired the relay?', await embedder.embedQuery('relay'), [1, 1], 10);
    const profiles = new PassageProfiles();
    const units = sentencesOf(
      texts.map((text, i) =>
        profiles.of({
          ...notePassage(`p${i}`, '', text),
          units: [{ start: 0, end: text.length, kind: 'sentence' }],
          vector: undefined,
        }),
      ),
    );
    const found = await embedSentences(question, units, embedder);
    return found.map(({ vector }) => vector !== undefined);
  }

  it('are those that share the question’s words, as long as there is room', async () => {
    const filler = Array.from({ length: 40 }, (_, i) => `Line ${i} is of ${'stone and wood '.repeat(20)}.`);
    const has = await embedded([...filler, 'Mara repaired the relay.']);
    assert.equal(has.at(-1), true);
    const count = has.filter(Boolean).length;
    assert.ok(count > 10 && count < 30, `${count} of ${has.length}`);
  });

  it('are others, too, where the first is longer than all the room', async () => {
    const long = `Mara repaired the relay of ${'stone and wood '.repeat(600)}.`;
    assert.deepEqual(await embedded([long, 'She left in May.']), [true, true]);
  });
});
