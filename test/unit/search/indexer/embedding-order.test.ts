import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { createRetriever } from '../../../../src/search/retrieval/create-retriever.ts';
import { readReaderWeights } from '../../../../src/search/retrieval/reader/read-passages.ts';
import type { SourceFile } from '../../../../src/search/domain/source-file.ts';
import { nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { mostUsefulFirst } from '../../../../src/search/indexer/walked-files.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { ScriptedScorer } from '../../../doubles/scripted-scorer.ts';
import { IndexHarness } from './index-harness.ts';

const FILES = 200;
/** Texts that are embedded at once, in an order of their own. */
const CHUNK = 32;

const note = (i: number): string => `# Note ${i}\n\nAbout harbour number ${i}.\n`;
/** What nobody has anything to do with comes first otherwise: it lies higher, and is younger. */
const DEEP = 'a/rather/deep/folder';
const deep = {
  [`${DEEP}/plan-of-the-pier.md`]: '# Plan\n\nThe pier of oak. See [the crane](crane-of-the-pier.md).\n',
  [`${DEEP}/crane-of-the-pier.md`]: '# Crane\n\nThe crane lifts stones.\n',
  [`${DEEP}/tower-of-the-pier.md`]: '# Tower\n\nThe tower has bells.\n',
};

describe('vectors', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  let embedder: HashEmbedder;

  beforeEach(async () => {
    const notes = Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`note-${i}.md`, note(i)]));
    harness = await IndexHarness.create({ ...notes, ...deep });
    const longAgo = new Date(Date.now() - 100 * 86_400_000);
    for (const name of Object.keys(deep)) await utimes(harness.path(name), longAgo, longAgo);
    embedder = new HashEmbedder();
  });
  afterEach(() => harness.close());

  const placeOf = (word: string): number => embedder.embedded.findIndex((text) => text.includes(word));

  /** Begins to index, and holds when the first vector is to be made; the rest goes on with `letGo`. */
  async function held(openUris: string[] = []): Promise<{ service: LocalIndexService; letGo: () => Promise<void> }> {
    let goOn = (): void => undefined;
    let reached = (): void => undefined;
    const begun = new Promise<void>((resolve) => (reached = resolve));
    const free = new Promise<void>((resolve) => (goOn = resolve));
    embedder.beforePassage = () => {
      reached();
      return free;
    };
    const service = harness.service(embedder);
    await service.open(harness.config());
    const update = service.update({ hints: { openUris } });
    await begun;
    return {
      service,
      letGo: async () => {
        goOn();
        await update;
      },
    };
  }

  it('of deep old files come last where nobody has to do with them', async () => {
    await (await held()).letGo();
    assert.equal(embedder.embedded.length, FILES + 3);
    for (const word of ['oak', 'stones', 'bells']) assert.ok(placeOf(word) >= FILES - CHUNK, word);
  });

  it('of what is open come first, then those of what it links to', async () => {
    await (await held([harness.uri(`${DEEP}/plan-of-the-pier.md`)])).letGo();
    assert.ok(placeOf('oak') < CHUNK);
    assert.ok(placeOf('stones') < CHUNK);
    assert.ok(placeOf('bells') >= FILES - CHUNK, 'what is neither waits for its turn');
  });

  it('of what is open come first also where it was read long before', async () => {
    const { service, letGo } = await held();
    const closed = service.close();
    await assert.rejects(letGo(), { name: 'AbortError' });
    await closed;
    embedder = new HashEmbedder();
    await (await held([harness.uri(`${DEEP}/plan-of-the-pier.md`)])).letGo();
    assert.ok(embedder.embedded.length > FILES - 2 * CHUNK, 'most waited');
    assert.ok(placeOf('oak') < CHUNK);
    assert.ok(placeOf('stones') < CHUNK);
    assert.ok(placeOf('bells') > CHUNK);
  });

  it('of what is opened meanwhile come next, with those of what it links to', async () => {
    const { service, letGo } = await held();
    await service.shown([harness.uri(`${DEEP}/plan-of-the-pier.md`), 'untitled:Untitled-1']);
    await letGo();
    // What was on its way already is embedded before.
    assert.ok(placeOf('oak') < 2 * CHUNK, `${placeOf('oak')}`);
    assert.ok(placeOf('stones') < 3 * CHUNK, `${placeOf('stones')}`);
    assert.ok(placeOf('bells') >= FILES - CHUNK);
  });

  it('of what is opened while files are read come first as well', async () => {
    let look: () => Promise<void> = async () => undefined;
    const service = harness.service(embedder, {
      files: {
        ...nodeFileSystem,
        read: async (...given) => {
          await look();
          return nodeFileSystem.read(...given);
        },
      },
    });
    await service.open(harness.config());
    look = () => {
      look = async () => undefined;
      return service.shown([harness.uri(`${DEEP}/plan-of-the-pier.md`)]);
    };
    await service.update({});
    assert.ok(placeOf('oak') < CHUNK, `${placeOf('oak')}`);
    assert.ok(placeOf('stones') < 2 * CHUNK, `${placeOf('stones')}`);
    assert.ok(placeOf('bells') >= FILES - CHUNK);
  });

  it('of what is edited come next, with those of what it links to', async () => {
    const { service, letGo } = await held();
    const edited = `${DEEP}/plan-of-the-pier.md`;
    await harness.write({ [edited]: '# Plan\n\nThe pier of granite. See [the crane](crane-of-the-pier.md).\n' });
    await service.filesChanged([harness.uri(edited)]);
    await letGo();
    // What was on its way already is embedded before.
    assert.ok(placeOf('granite') < 2 * CHUNK, `${placeOf('granite')}`);
    assert.ok(placeOf('stones') < 3 * CHUNK, `${placeOf('stones')}`);
    assert.ok(placeOf('bells') >= FILES - CHUNK);
  });

  it('of what a question found come next', async () => {
    const { service, letGo } = await held();
    const retriever = createRetriever({
      index: service.index,
      embedder: service.embedder,
      scorer: new ScriptedScorer(() => 0),
      reader: readReaderWeights(fileURLToPath(new URL('../../../../models/reader.json', import.meta.url))),
      found: (ids) => service.prefer(ids),
      now: () => 0,
    });
    const { hits } = await retriever.search('bells of the tower', { retriever: 'text', limit: 1 });
    assert.deepEqual(
      hits.map(({ passage }) => passage.path),
      [`${DEEP}/tower-of-the-pier.md`],
    );
    await letGo();
    assert.ok(placeOf('bells') < 2 * CHUNK, `${placeOf('bells')}`);
    assert.ok(placeOf('stones') >= FILES - CHUNK);
  });
});

describe('the order in which files are read', () => {
  it('is the same however they come, also where they were saved within seconds of each other', () => {
    const now = Date.UTC(2026, 0, 1);
    const file = (path: string, seconds: number): SourceFile => ({
      uri: `file:///${path}`,
      path,
      rootUri: 'file:///',
      size: 1,
      mtimeMs: now - 600_000 + seconds * 1000,
    });
    const [a, b, c] = [file('a.md', 35), file('x/b.md', 60), file('x/y/c.md', 85)];
    const orders = [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ].map((files) => mostUsefulFirst(files, new Set(), now).map(({ path }) => path));
    assert.deepEqual(orders, Array(6).fill(['x/b.md', 'x/y/c.md', 'a.md']));
  });
});
