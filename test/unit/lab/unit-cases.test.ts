import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PassageProfiles } from '../../../src/search/retrieval/features/passage-profile.ts';
import { type FolderQuestion, folderCases } from '../../../lab/heads/unit-cases.ts';
import { MemoryPassageIndex } from '../../../lab/heads/memory-passage-index.ts';
import { notePassage } from '../../doubles/scripted-retriever.ts';
import { WordEmbedder } from '../../doubles/word-embedder.ts';

const rota = notePassage(
  'rota',
  'Rota',
  'The hut is kept by two people. A turn lasts three weeks.\nNobody keeps it in May.',
);

const asked = (more: Partial<FolderQuestion>): FolderQuestion => ({
  id: 'q1',
  dataset: 'notes',
  question: 'How long is a turn?',
  answer: 'three weeks',
  aliases: [],
  type: 'lookup',
  evidence: [{ path: rota.path, start: 1, end: 1 }],
  also: [],
  ...more,
});

async function labelled(question: FolderQuestion): Promise<{ texts: string[]; answerable: boolean | undefined }> {
  const embedder = new WordEmbedder();
  const [vector] = await embedder.embedPassages([rota.text]);
  const [one] = await folderCases([question], 'notes', {
    embedder,
    profiles: new PassageProfiles(),
    index: new MemoryPassageIndex([{ ...rota, vector }]),
    search: () => Promise.resolve({ chain: [rota.id], hits: [], absent: 0, decides: false, speaks: true }),
  });
  assert.ok(one);
  const texts = one.units.filter((_, i) => one.labels[i] === 1).map(({ text }) => text.trim());
  return { texts, answerable: one.answerable };
}

describe('units with the lines that answer', () => {
  it('are evidence where they say the answer, of the sentences of one line', async () => {
    assert.deepEqual(await labelled(asked({})), { texts: ['A turn lasts three weeks.'], answerable: true });
  });

  it('are evidence all, where none of the place says the answer', async () => {
    const { texts } = await labelled(asked({ answer: 'yes', evidence: [{ path: rota.path, start: 2, end: 2 }] }));
    assert.deepEqual(texts, ['Nobody keeps it in May.']);
    const quoted = asked({ answer: 'no', evidence: [{ path: rota.path, quote: 'Nobody keeps it in May.' }] });
    assert.deepEqual((await labelled(quoted)).texts, ['Nobody keeps it in May.']);
  });

  it('are none where nothing answers, and teach nothing of refusing where the place was not found', async () => {
    const nothing = asked({ type: 'null', answer: '', evidence: [] });
    assert.deepEqual(await labelled(nothing), { texts: [], answerable: false });
    const elsewhere = asked({ evidence: [{ path: 'other.md', start: 1, end: 1 }] });
    assert.deepEqual(await labelled(elsewhere), { texts: [], answerable: undefined });
  });
});
