import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
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
