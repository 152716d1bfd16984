import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, type Suite } from 'mocha';
import { repositoryRoot } from '../../../../scripts/vscode-host/locations.ts';
import { timerClock } from '../../../../src/base/waiting.ts';
import type { Embedder } from '../../../../src/search/embedding/embedder.ts';
import type { IndexConfig } from '../../../../src/search/indexer/index-service.ts';
import { createPassageSource } from '../../../../src/search/reading/create-passage-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { createIndexLayout, type IndexLayout } from '../../../../src/search/store/index-layout.ts';
import { openStore } from '../../../../src/search/store/index-store.ts';
import {
  createIndexService,
  type IndexServiceDependencies,
  type LocalIndexService,
} from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { startObjectStore, storageOptions } from '../../../doubles/object-store-server.ts';
import { temporaryFolder, writeFiles } from '../../../doubles/temporary-folder.ts';

/** Where an index of a test lies, if not beside its files: in object storage. */
export interface RemotePlace {
  uri: string;
  storageOptions: Record<string, string>;
}

export type ServiceChanges = Partial<IndexServiceDependencies> & { files?: FileSystem };

/** A folder of files, an index beside it or elsewhere, and services over both that are closed with it. */
export class IndexHarness {
  readonly base: string;
  readonly #remote: RemotePlace | undefined;
  readonly workspace: string;
  readonly logged: string[] = [];
  readonly #services: LocalIndexService[] = [];

  static async create(files: Record<string, string> = {}, remote?: RemotePlace): Promise<IndexHarness> {
    const harness = new IndexHarness(temporaryFolder(), remote);
    await mkdir(harness.workspace);
    await harness.write(files);
    return harness;
  }

  private constructor(base: string, remote: RemotePlace | undefined) {
    this.base = base;
    this.#remote = remote;
    this.workspace = path.join(base, 'workspace');
  }

  indexFolder(name = 'index'): string {
    return this.#remote ? `${this.#remote.uri}/${path.basename(this.base)}/${name}` : path.join(this.base, name);
  }

  layout(indexFolder = this.indexFolder()): IndexLayout {
    return createIndexLayout(indexFolder, this.#remote?.storageOptions);
  }

  async write(files: Record<string, string>): Promise<void> {
    writeFiles(this.workspace, files);
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name));
  }

  path(name: string): string {
    return path.join(this.workspace, name);
  }

  uri(name: string): string {
    return pathToFileURL(this.path(name)).href;
  }

  config(changes: Partial<IndexConfig> = {}): IndexConfig {
    return {
      roots: [{ uri: pathToFileURL(this.workspace).href, name: 'workspace' }],
      indexUri: this.indexFolder(),
      ...(this.#remote && { storageOptions: this.#remote.storageOptions }),
      embedder: { kind: 'bundled' },
      excludeGlobs: [],
      useGitignore: false,
      maxFileBytes: 1 << 20,
      ...changes,
    };
  }

  /**
   * A service that runs in this process, as the index process composes it but for the embedder; its files are those of
   * `files`.
   */
  service(
    embedder: Embedder = new HashEmbedder(),
    { files = nodeFileSystem, ...changes }: ServiceChanges = {},
  ): LocalIndexService {
    const service = createIndexService({
      openEmbedder: () => Promise.resolve(embedder),
      createSource: (config, { countTokens }, unsaved) =>
        createPassageSource(config, {
          files: unsaved.over(files),
          countTokens: (text) => countTokens.call(embedder, text),
          wasmDir: repositoryRoot,
          gitHome: { home: this.base, configHome: undefined },
        }),
      clock: timerClock,
      wallClock: () => Date.now(),
      log: (level, message) => this.logged.push(`${level} ${message}`),
      idleMs: 3_600_000,
      followMs: 50,
      ...changes,
    });
    this.#services.push(service);
    return service;
  }

  /** Such a service that is open and up to date. */
  async updated(embedder?: Embedder, changes?: ServiceChanges): Promise<LocalIndexService> {
    const service = this.service(embedder, changes);
    await service.open(this.config());
    await service.update({});
    return service;
  }

  /** Everything that the build which answers holds, in an order that does not depend on how it came about. */
  async dump(indexFolder = this.indexFolder()): Promise<unknown[]> {
    const layout = this.layout(indexFolder);
    const name = await layout.current();
    if (name === undefined) return [];
    const store = await openStore(await layout.open(name, { following: true }), {
      dimensions: 16,
      writable: false,
      now: () => Date.now(),
    });
    if (!store) return [];
    const rows: { id: string; row: unknown }[] = [];
    for await (const slice of store.passages.scan(true)) {
      for (const passage of slice) {
        const { vector, ...rest } = passage;
        rows.push({
          id: passage.id,
          row: { ...rest, vector: vector ? [...vector].map((value) => value.toFixed(5)).join(' ') : null },
        });
      }
    }
    const files = (await store.files.all())
      .map(({ mtimeMs: _, stamp: __, ...record }) => record)
      .sort((a, b) => (a.uri < b.uri ? -1 : 1));
    store.close();
    return [...rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ row }) => row), ...files];
  }

  /** What an index built from nothing holds now. */
  async freshDump(): Promise<unknown[]> {
    const folder = path.join(this.base, `fresh-${Math.random().toString(36).slice(2)}`);
    const service = this.service();
    await service.open(this.config({ indexUri: folder }));
    await service.update({});
    await service.close();
    return this.dump(folder);
  }

  async close(): Promise<void> {
    for (const service of this.#services) await service.close();
  }
}

/** Runs a suite twice: over indices in folders, and over indices in object storage. */
export function describeInEachPlace(
  title: string,
  suite: (this: Suite, create: (files?: Record<string, string>) => Promise<IndexHarness>) => void,
): void {
  describe(`${title}, in a folder`, function () {
    suite.call(this, (files) => IndexHarness.create(files));
  });
  describe(`${title}, in object storage`, function () {
    let store: Awaited<ReturnType<typeof startObjectStore>>;
    before(async () => {
      store = await startObjectStore();
    });
    after(() => store.close());
    suite.call(this, (files) =>
      IndexHarness.create(files, { uri: 's3://bucket', storageOptions: storageOptions(store.url) }),
    );
  });
}
