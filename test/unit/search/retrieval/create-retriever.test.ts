import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IndexedPassage, PassageRef } from '../../../../src/search/store/passage-index.ts';
import type { Unit } from '../../../../src/search/domain/unit.ts';
import type { Passage, PassageLink } from '../../../../src/search/domain/passage.ts';
import { readChainScorerWeights } from '../../../../src/search/retrieval/chain-scorer.ts';
import type { EncoderInput } from '../../../../src/search/retrieval/encoder/input-layout.ts';
import type { JointEncoder } from '../../../../src/search/retrieval/encoder/joint-encoder.ts';
import { createRetriever } from '../../../../src/search/retrieval/create-retriever.ts';
import { FeatureChainScorer } from '../../../../src/search/retrieval/feature-chain-scorer.ts';
import { readReaderWeights } from '../../../../src/search/retrieval/reader/read-passages.ts';
import type { Retriever } from '../../../../src/search/retrieval/retriever.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';
import { WordEmbedder } from '../../../doubles/word-embedder.ts';
import { settled } from '../../../doubles/waiting.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const note = (id: string, title: string, text: string, links: PassageLink[] = []): Passage =>
  notePassage(id, title, text, { contentHash: id, links });

const NOTES = [
  note('outage', 'Outage of 3 March', 'The booking page was down for two hours.\nThe cause was the Heron release.', [
    { kind: 'wikilink', target: 'Heron release', line: 2, path: 'notes/heron.md' },
  ]),
  note(
    'heron',
    'Heron release',
    'Heron release moved sessions to the new store. Approved by Dana Petrov on 28 February.',
  ),
  note('dana', 'Dana Petrov', 'Dana Petrov leads the platform team in Lisbon.'),
  note('lunch', 'Lunch', 'The canteen serves soup on Mondays.'),
  note('parking', 'Parking', 'Bicycles are parked behind the building.'),
  note('budget', 'Budget', 'The budget for travel was cut by a third.'),
];

/** Notes which rows were read, and can lose some of them in between. */
class ObservedIndex extends MemoryPassageIndex {
  readonly rowsRead: { ids: readonly string[]; vectors: boolean }[] = [];
  readonly gone = new Set<string>();

  override async read(
    refs: readonly PassageRef[],
    { vectors }: { vectors: boolean } = { vectors: true },
  ): Promise<IndexedPassage[]> {
    this.rowsRead.push({ ids: refs.map(({ id }) => id), vectors });
    return (await super.read(refs)).filter(({ id }) => !this.gone.has(id));
  }
}

async function retrieverOf(
  notes: readonly Passage[],
  embedded = true,
  encoder?: JointEncoder,
  unread?: (error: unknown) => void,
): Promise<{ retriever: Retriever; embedder: WordEmbedder; index: ObservedIndex }> {
  const embedder = new WordEmbedder();
  const vectors = await embedder.embedPassages(notes.map(({ title, text }) => `${title}\n${text}`));
  const index = new ObservedIndex(notes.map((passage, i) => (embedded ? { ...passage, vector: vectors[i] } : passage)));
  const scorer = new FeatureChainScorer(readChainScorerWeights('models/chain-scorer.json'));
  let tick = 0;
  return {
    retriever: createRetriever({
      index,
      embedder,
      scorer,
      reader: readReaderWeights('models/reader.json'),
      ...(encoder && { encoder: () => Promise.resolve(encoder) }),
      ...(unread && { unread }),
      now: () => tick++,
    }),
    embedder,
    index,
  };
}

describe('createRetriever', () => {
  it('finds by words, by meaning and by both, and says which list held a hit', async () => {
    const { retriever } = await retrieverOf(NOTES);
    for (const name of ['text', 'vector', 'hybrid'] as const) {
      const { hits, coverage } = await retriever.search('Which soup does the canteen serve?', {
        retriever: name,
        limit: 3,
      });
      assert.equal(hits[0]?.passage.id, 'lunch', name);
      assert.equal('vector' in (hits[0]?.passage ?? {}), false);
      assert.equal(coverage.passages, NOTES.length);
      if (name !== 'vector') assert.equal(hits[0]?.parts.text?.rank, 1);
      if (name !== 'text') assert.equal(hits[0]?.parts.vector?.rank, 1);
    }
  });

  it('finds a note by its title however it is written', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const { hits } = await retriever.search('what about the heron RELEASE', { retriever: 'hybrid', limit: 2 });
    assert.equal(hits[0]?.passage.id, 'heron');
    assert.equal(hits[0]?.parts.link?.rank, 1);
  });

  it('looks for a question where its vector is moved to', async () => {
    const { embedder, index, retriever } = await retrieverOf(NOTES);
    const asked = 'Which soup does the canteen serve?';
    const first = async (): Promise<string | undefined> =>
      (await retriever.search(asked, { retriever: 'vector', limit: 1 })).hits[0]?.passage.id;
    assert.equal(await first(), 'lunch');
    const [heron] = await index.get(['heron']);
    const question = await embedder.embedQuery(asked);
    const moved: Float32Array[] = [];
    Object.assign(embedder, {
      moveQuestion: (vector: Float32Array) => {
        moved.push(vector);
        return heron?.vector;
      },
    });
    assert.equal(await first(), 'heron');
    assert.deepEqual(moved, [question]);
  });

  it('tells how near a passage is to the question as it was asked, wherever that was moved', async () => {
    const { embedder, index, retriever } = await retrieverOf(NOTES);
    const asked = 'Which soup does the canteen serve?';
    const question = await embedder.embedQuery(asked);
    const near = async (): Promise<Map<string, number | undefined>> => {
      const { hits } = await retriever.chains(asked, {});
      const scores = new Map(hits.map(({ passage, parts }) => [passage.id, parts.vector?.score]));
      for (const { passage, parts } of (await retriever.search(asked, { retriever: 'hybrid', limit: 4 })).hits)
        assert.ok(Math.abs((parts.vector?.score ?? 0) - (scores.get(passage.id) ?? 0)) < 1e-6);
      return scores;
    };
    const unmoved = await near();
    Object.assign(embedder, {
      moveQuestion: (vector: Float32Array) => vector.map((value, i) => (i === 0 ? value + 2 : value)),
    });
    const moved = await near();
    const vectors = new Map((await index.get([...moved.keys()])).map(({ id, vector }) => [id, vector]));
    assert.ok(moved.size > 2);
    for (const [id, score] of moved) {
      const vector = vectors.get(id) ?? assert.fail(`${id} has no vector`);
      const cosine = question.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0);
      assert.ok(Math.abs((score ?? 0) - cosine) < 1e-4, `${id}: ${score} for ${cosine}`);
      assert.ok(Math.abs((unmoved.get(id) ?? 0) - cosine) < 1e-4);
    }
  });

  it('answers by words while nothing has a vector', async () => {
    const { retriever } = await retrieverOf(NOTES, false);
    const { hits } = await retriever.search('budget for travel', { retriever: 'hybrid', limit: 2 });
    assert.equal(hits[0]?.passage.id, 'budget');
    const { chains } = await retriever.chains(
      'Who approved the release that caused the outage of the booking page?',
      {},
    );
    assert.ok((chains[0]?.hops.length ?? 0) > 0);
  });

  describe('where the first hits are waited for', () => {
    const asked = 'Who approved the Heron release?';
    const options = { retriever: 'hybrid', limit: 3 } as const;
    type List = 'words' | 'vector' | 'names';

    /** Hits of a search, some of whose lists come only when `come` is called. */
    async function searchWith(late: readonly List[], soon: boolean) {
      const { retriever, index } = await retrieverOf(NOTES);
      let come = (): void => undefined;
      const coming = new Promise<void>((resolve) => (come = resolve));
      const rank = index.rank.bind(index);
      index.rank = async (query, range) => {
        if (late.some((list) => list in query)) await coming;
        return rank(query, range);
      };
      let isDone = false;
      const searching = retriever.search(asked, { ...options, soon }).finally(() => (isDone = true));
      return { searching, come, isDone: () => isDone };
    }
    const moment = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 400));

    for (const late of [['names'], ['vector', 'names'], ['words', 'names']] as const)
      it(`goes without ${late.join(' and ')} that come late`, async () => {
        const { searching } = await searchWith(late, true);
        const { hits } = await searching;
        assert.equal(hits[0]?.passage.id, 'heron');
        const parts = late.map((list) => (({ words: 'text', vector: 'vector', names: 'link' }) as const)[list]);
        for (const hit of hits) for (const part of parts) assert.equal(hit.parts[part], undefined);
      });

    it('waits for what comes late where nothing else was found', async () => {
      const { searching, come, isDone } = await searchWith(['words', 'vector', 'names'], true);
      await moment();
      assert.equal(isDone(), false);
      come();
      assert.equal((await searching).hits[0]?.passage.id, 'heron');
    });

    it('waits for all lists where they are not', async () => {
      const { searching, come, isDone } = await searchWith(['names'], false);
      await moment();
      assert.equal(isDone(), false);
      come();
      assert.ok((await searching).hits[0]?.parts.link);
    });
  });

  it('reads no more rows than it shows, and a few that may fold, without their vectors', async () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      note(`n${i}`, `Part ${i}`, `The canteen serves soup number ${i} with ${i * 7} spoons and ${i * 13} plates.`),
    );
    const { retriever, index } = await retrieverOf(many);
    const { hits } = await retriever.search('Which soup does the canteen serve?', { retriever: 'hybrid', limit: 4 });
    assert.equal(hits.length, 4);
    assert.deepEqual(
      index.rowsRead.map(({ ids, vectors }) => [ids.length, vectors]),
      [[9, false]],
    );
    assert.deepEqual(
      hits.map((hit) => hit.passage.id),
      index.rowsRead[0]?.ids.slice(0, 4),
    );
  });

  it('reads on while passages fold, and passes over those that are gone by then', async () => {
    const same = Array.from({ length: 30 }, (_, i) => ({
      ...note(
        `same${String(i).padStart(2, '0')}`,
        'Lunch',
        'The canteen serves soup on Mondays, as it has for years and years.',
      ),
      contentHash: 'lunch',
    }));
    const others = NOTES.filter(({ id }) => id !== 'lunch');
    const { retriever, index } = await retrieverOf([...same, ...others]);
    index.gone.add('same00');
    const { hits } = await retriever.search('Which soup does the canteen serve?', { retriever: 'hybrid', limit: 2 });
    assert.equal(hits.length, 2);
    assert.deepEqual(
      hits[0]?.folded.map(({ id }) => id),
      same.slice(2).map(({ id }) => id),
    );
    assert.equal(hits[0]?.passage.id, 'same01');
    assert.ok(others.some(({ id }) => id === hits[1]?.passage.id));
  });

  it('fills a list of the beam with what hybrid search found beyond its head', async () => {
    const many = Array.from({ length: 90 }, (_, i) =>
      note(
        `n${String(i).padStart(2, '0')}`,
        `Part ${i}`,
        i < 45 ? `Soup ${i}.` : `Soup and bread with spoons, plates, knives and forks, number ${i}.`,
      ),
    );
    const { retriever, index } = await retrieverOf(many);
    index.rowsRead.length = 0;
    const { hits } = await retriever.search('soup spoons', { retriever: 'beam', limit: 80 });
    assert.equal(new Set(hits.map((hit) => hit.passage.id)).size, hits.length);
    const tail = index.rowsRead.filter(({ vectors }) => !vectors).flatMap(({ ids }) => ids);
    assert.ok(tail.length > 0 && hits.length > 40, `${tail.length} of ${hits.length}`);
    const found = new Map(hits.map((hit) => [hit.passage.id, hit]));
    for (const id of tail) assert.ok(found.get(id)?.parts.text ?? found.get(id)?.parts.vector, id);
    const { hits: hybrid } = await retriever.search('soup spoons', { retriever: 'hybrid', limit: 60 });
    const first = new Set(hits.slice(0, 75).map(({ passage }) => passage.id));
    assert.deepEqual(
      hybrid.filter(({ passage }) => !first.has(passage.id)),
      [],
      'the beam loses nothing that hybrid search has',
    );
  });

  it('keeps to the filter', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const { hits } = await retriever.search('soup', {
      retriever: 'hybrid',
      limit: 5,
      filter: { paths: ['notes/dana.md', 'notes/heron.md'] },
    });
    assert.deepEqual(hits.map((hit) => hit.passage.id).sort(), ['dana', 'heron']);
  });

  it('walks from note to note and says why, with the words in place', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const { chains, hits, hopMilliseconds } = await retriever.chains(
      'Who approved the release that caused the outage of the booking page?',
      {},
    );
    const two = chains.find((chain) => chain.hops.length === 2);
    assert.deepEqual(
      two?.hops.map((hop) => hop.passage.id),
      ['outage', 'heron'],
    );
    const why = two?.hops[1]?.why;
    assert.equal(why?.kind, 'link');
    assert.equal(why?.from, 0);
    const text = NOTES[0]?.text ?? '';
    assert.equal(text.slice(why?.fromSpan?.start, why?.fromSpan?.end), 'Heron release');
    assert.deepEqual(
      hits.slice(0, chains[0]?.hops.length).map((hit) => hit.passage.id),
      chains[0]?.hops.map((hop) => hop.passage.id),
    );
    assert.ok(hopMilliseconds.length > 0);
  });

  it('ranks with the chain at the head when asked to search by beam', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const { chains } = await retriever.chains('Where does the person who approved the Heron release work?', {});
    const { hits } = await retriever.search('Where does the person who approved the Heron release work?', {
      retriever: 'beam',
      limit: 4,
    });
    assert.deepEqual(
      hits.slice(0, chains[0]?.hops.length).map((hit) => hit.passage.id),
      chains[0]?.hops.map((hop) => hop.passage.id),
    );
    assert.equal(hits.length, 4);
    assert.equal(hits[0]?.parts.beam?.rank, 1);
  });

  it('counts a copy of a file once, in trails and in what the beam found', async () => {
    const heron = NOTES.find(({ id }) => id === 'heron') ?? assert.fail();
    const dana = NOTES.find(({ id }) => id === 'dana') ?? assert.fail();
    const copies = [
      { ...heron, id: 'heron-copy', path: 'archive/heron.md', uri: 'file:///archive/heron.md', contentHash: 'other' },
      { ...dana, id: 'dana-copy', path: 'archive/dana.md', uri: 'file:///archive/dana.md' },
    ].map((copy) => ({ ...copy, text: `${copy.text}\n` }));
    const { retriever } = await retrieverOf([...NOTES, ...copies]);
    const question = 'Where does the person work who approved the release that caused the outage?';
    const options = { maxHops: 4, stop: 'threshold', threshold: -20 } as const;
    const { chains, hits } = await retriever.chains(question, options);
    const original = (id: string): string => id.replace(/-copy$/, '');
    assert.ok(chains.some(({ hops }) => hops.some(({ passage }) => original(passage.id) === 'heron')));
    for (const { hops } of chains) {
      const ids = hops.map(({ passage }) => original(passage.id));
      assert.equal(new Set(ids).size, ids.length, ids.join());
    }
    for (const list of [hits, (await retriever.search(question, { retriever: 'beam', limit: 6 })).hits]) {
      const ids = list.map(({ passage }) => original(passage.id));
      assert.equal(new Set(ids).size, ids.length, ids.join());
      assert.deepEqual(
        list.flatMap(({ passage, folded }) => folded.map(({ id }) => [original(passage.id), original(id)])).sort(),
        [
          ['dana', 'dana'],
          ['heron', 'heron'],
        ],
      );
    }
  });

  it('connects two files through the note between them', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const { chains } = await retriever.connect('notes/outage.md', 'notes/dana.md', {});
    assert.deepEqual(
      chains[0]?.hops.map((hop) => hop.passage.id),
      ['outage', 'heron', 'dana'],
    );
    assert.equal(chains[0]?.hops[2]?.why.kind, 'title');
    const start = chains[0].hops[0]?.why;
    assert.deepEqual([start?.kind, start?.because], ['chosen', { code: 'chosen' }], 'nothing was asked');
  });

  it('looks up side by side what the passages on the way lead to', async () => {
    const parts = Array.from({ length: 4 }, (_, i) => ({
      ...note('outage', 'Outage', `Part ${i} of the outage, which the Heron release caused.`),
      id: `outage-${i}`,
    }));
    const { index, retriever } = await retrieverOf([...parts, ...NOTES.slice(1, 3)]);
    const findLinkingTo = index.findLinkingTo.bind(index);
    let [now, most] = [0, 0];
    index.findLinkingTo = async (...given) => {
      most = Math.max(most, (now += 1));
      await settled();
      now -= 1;
      return findLinkingTo(...given);
    };
    await retriever.connect('notes/outage.md', 'notes/dana.md', {});
    assert.equal(most, parts.length);
  });

  it('finds nothing in an empty index and nothing between unknown files', async () => {
    const { retriever } = await retrieverOf([]);
    assert.deepEqual((await retriever.search('anything', { retriever: 'hybrid', limit: 3 })).hits, []);
    assert.deepEqual((await retriever.chains('anything', {})).chains, []);
    assert.deepEqual((await retriever.connect('a', 'b', {})).chains, []);
    const reading = await retriever.read('anything', []);
    assert.deepEqual(reading.sentences, []);
    assert.equal(reading.answerability, 0);
  });

  it('searches further queries too, and says which one found a hit', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const question = 'How do people get to work?';
    const queries = ['bicycles parked behind the building', '  ', question];
    const { hits } = await retriever.search(question, { retriever: 'hybrid', limit: 4, queries });
    assert.equal(hits[0]?.passage.id, 'parking');
    assert.equal(hits[0]?.query, queries[0]);
    const found = await retriever.chains(question, { queries });
    const parking = found.hits.find(({ passage }) => passage.id === 'parking');
    assert.equal(parking?.query, queries[0]);
    const asked = await retriever.search(queries[0] ?? '', { retriever: 'hybrid', limit: 1, queries });
    assert.equal(asked.hits[0]?.query, undefined, 'the question itself ranked it highest');
  });

  it('rejects with AbortError on abort', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const aborted = AbortSignal.abort();
    await assert.rejects(retriever.search('soup', { retriever: 'hybrid', limit: 1 }, aborted), { name: 'AbortError' });
    await assert.rejects(retriever.chains('soup', {}, aborted), { name: 'AbortError' });
    await assert.rejects(retriever.read('soup', ['lunch'], aborted), { name: 'AbortError' });
  });

  it('reads sentences out of passages with exact places', async () => {
    const { retriever } = await retrieverOf(NOTES);
    const reading = await retriever.read('Who approved the release that took the booking page down?', [
      'outage',
      'heron',
    ]);
    assert.ok(reading.sentences.length >= 4);
    const textOf = (id: string): string => NOTES.find((passage) => passage.id === id)?.text ?? '';
    for (const { passageId, text, start, end } of reading.sentences)
      assert.equal(textOf(passageId).slice(start, end), text);
  });

  it('reads the units that the file was found to have, each with what has to be read before it', async () => {
    const table = '| Plan | Price |\n|---|---|\n| Basic | 12 EUR |\n| Big | 40 EUR |';
    const context = { text: 'Plan | Price', start: 0, end: 16 };
    const row = (text: string): Unit => ({
      start: table.indexOf(text),
      end: table.indexOf(text) + text.length,
      kind: 'row',
      context,
    });
    const [basic, big] = [row('| Basic | 12 EUR |'), row('| Big | 40 EUR |')];
    const { retriever } = await retrieverOf([{ ...note('plans', 'Plans', table), units: [basic, big] }]);
    const { sentences } = await retriever.read('What is the price of the Big plan?', ['plans']);
    assert.deepEqual(
      sentences.map(({ start, end, text, kind, context: above }) => ({ start, end, text, kind, above })),
      [
        { start: big.start, end: big.end, text: '| Big | 40 EUR |', kind: 'row', above: context },
        { start: basic.start, end: basic.end, text: '| Basic | 12 EUR |', kind: 'row', above: context },
      ],
    );
    const [passage] = await retriever.passages(['plans']);
    assert.equal(passage && 'units' in passage, false, 'what leaves the index goes without');
  });

  it('reads what was found as it was, where its file was changed meanwhile', async () => {
    const { retriever, index } = await retrieverOf(NOTES);
    const question = 'Who leads the platform team in Lisbon?';
    const { chains, hits } = await retriever.chains(question, {});
    const chain = chains[0]?.hops.map(({ passage }) => passage.id) ?? [];
    const further = hits.map(({ passage }) => passage.id).filter((id) => !chain.includes(id));
    const before = await retriever.read(question, [...chain, ...further]);
    for (const { id } of NOTES) index.gone.add(id);
    assert.deepEqual(await retriever.read(question, [...chain, ...further]), before);
  });
});

describe('the joint encoder', () => {
  const asked = 'Which town did the keeper of the relay hut in the valley come from?';
  const huts = Array.from({ length: 60 }, (_, i) =>
    note(`hut${i}`, `Relay hut ${i}`, `The keeper of relay hut ${i} came from town ${i}.\n\nThe valley is cold there.`),
  );
  const reading = { extends: 0, complete: 0, spans: [], support: () => 0 };

  it('reads at most 24 passages of a question, finding and reading together', async () => {
    const seen: EncoderInput[] = [];
    const { retriever } = await retrieverOf(huts, true, {
      read: (input) => Promise.resolve((seen.push(input), reading)),
      close: () => Promise.resolve(),
    });
    const { chains, hits } = await retriever.chains(asked, {});
    const chain = chains[0]?.hops.map(({ passage }) => passage.id) ?? [];
    const further = hits.map(({ passage }) => passage.id).filter((id) => !chain.includes(id));
    await retriever.read(asked, [...chain, ...further]);
    const passages = new Set(seen.map(({ candidate }) => candidate.header));
    assert.ok(passages.size > 10 && passages.size <= 24, `${passages.size}`);
  });

  it('is done without for a question that it fails to read, which is told', async () => {
    const told: unknown[] = [];
    const failing: JointEncoder = {
      read: () => Promise.reject(new Error('no memory left')),
      close: () => Promise.resolve(),
    };
    const { retriever: failingly } = await retrieverOf(huts, true, failing, (error) => told.push(error));
    const { retriever: without } = await retrieverOf(huts);
    const idsOf = ({ chains, hits }: Awaited<ReturnType<typeof without.chains>>): string[][] => [
      chains[0]?.hops.map(({ passage }) => passage.id) ?? [],
      hits.map(({ passage }) => passage.id),
    ];
    const [chain = [], found = []] = idsOf(await without.chains(asked, {}));
    assert.deepEqual(idsOf(await failingly.chains(asked, {})), [chain, found]);
    assert.deepEqual(
      await failingly.read(asked, [...chain, ...found]),
      await without.read(asked, [...chain, ...found]),
    );
    assert.ok(told.length > 0 && told.every((error) => error instanceof Error && error.message === 'no memory left'));
    await assert.rejects(failingly.read(asked, [...chain, ...found], AbortSignal.abort()), { name: 'AbortError' });
  });

  it('holds no search up while it reads', async () => {
    let begin = (): void => {};
    let end = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { retriever } = await retrieverOf(huts, true, {
      read: () => (begin(), ended.then(() => reading)),
      close: () => Promise.resolve(),
    });
    const slow = retriever.chains(asked, {});
    await begun;
    const { hits } = await retriever.search('keeper of relay hut 7', { retriever: 'hybrid', limit: 3 });
    assert.equal(hits.length, 3);
    end();
    assert.ok((await slow).hits.length > 0);
  });
});
