import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { openStore } from '../../../../src/search/store/index-store.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { until } from '../../../doubles/waiting.ts';
import { IndexHarness } from './index-harness.ts';

const FILES = 300;
const nameOf = (i: number): string => `part-${i % 7}/note-${i}.md`;

describe('opening an index again', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  let embedder: HashEmbedder;
  /** Names of files whose bytes were read. */
  let read: string[];

  beforeEach(async () => {
    harness = await IndexHarness.create(
      Object.fromEntries(Array.from({ length: FILES }, (_, i) => [nameOf(i), `# Note ${i}\n\nHarbour ${i}.\n`])),
    );
    read = [];
    await opened();
    assert.equal(read.length, FILES);
    read = [];
  });
  afterEach(() => harness.close());

  /** A window that opens the index, brings it up to date and is closed; its reading of bytes is counted. */
  async function opened(look: (service: LocalIndexService) => Promise<void> = async () => undefined): Promise<void> {
    embedder = new HashEmbedder();
    const service = harness.service(embedder, {
      files: {
        ...nodeFileSystem,
        read: (file, options) => {
          if (file.endsWith('.md')) read.push(path.basename(file));
          return nodeFileSystem.read(file, options);
        },
      },
    });
    await service.open(harness.config());
    await look(service);
    await service.update({});
    await service.close();
  }

  it('reads no file and embeds nothing where nothing has changed, and can be searched at once', async () => {
    await opened(async (service) => {
      const [found] = await service.index.textSearch('harbour 123', { limit: 1 });
      assert.equal(found?.passage.path, nameOf(123));
      assert.equal((await service.index.coverage()).embedded, FILES);
    });
    assert.deepEqual(read, []);
    assert.deepEqual(embedder.embedded, []);
  });

  describe('loads what the first search needs', () => {
    /** What the index was asked, in words. */
    let asked: string[];
    let whenFirstAsked: () => void;

    const note = (what: string): void => {
      asked.push(what);
      if (asked.length === 1) whenFirstAsked();
    };
    const service = (): LocalIndexService =>
      harness.service(new HashEmbedder(), {
        openStore: async (...given) => {
          const store = await openStore(...given);
          if (store) {
            const { index } = store;
            const [rank, readRows] = [index.rank.bind(index), index.read.bind(index)];
            index.rank = (query, options) => {
              note(Object.keys(query).join());
              return rank(query, options);
            };
            index.read = (refs, options) => {
              if (refs.length > 0) note(`${refs.length} rows`); // the check for damage finds none
              return readRows(refs, options);
            };
          }
          return store;
        },
      });
    beforeEach(() => {
      asked = [];
      whenFirstAsked = () => undefined;
    });

    it('before anybody has searched', async () => {
      await harness.write({ [nameOf(1)]: '# Note 1\n\nThe name of a file, and the time.\n' });
      await opened();
      const writer = service();
      await writer.open(harness.config());
      await until(() => asked.length === 4, 'all is loaded');
      assert.deepEqual(asked, ['words', 'vector', 'names', '1 rows']);
    });

    it('and leaves the rest to a search that comes meanwhile', async () => {
      const writer = service();
      let found: Promise<unknown> | undefined;
      whenFirstAsked = () => {
        found = writer.index.rank({ names: ['harbour'] }, { limit: 1 });
      };
      await writer.open(harness.config());
      await until(() => found !== undefined, 'somebody searches');
      await found;
      await writer.close();
      assert.deepEqual(asked, ['words', 'names']);
    });

    it('but not where nothing is indexed', async () => {
      const writer = service();
      await writer.open(harness.config({ indexUri: harness.indexFolder('other') }));
      await writer.close();
      assert.deepEqual(asked, []);
    });
  });

  it('reads what was changed, made or touched meanwhile, and nothing else', async () => {
    await harness.write({ [nameOf(5)]: '# Note 5\n\nA lighthouse.\n', 'new.md': '# New\n\nA windmill.\n' });
    await utimes(harness.path(nameOf(9)), new Date(), new Date(Date.now() + 5_000));
    await harness.remove(nameOf(11));
    await opened();
    assert.deepEqual(read.sort(), ['new.md', 'note-5.md', 'note-9.md']);
    assert.equal(embedder.embedded.length, 2, 'touched bytes keep their vectors');
    read = [];
    await opened();
    assert.deepEqual(read, []);
  });
});
