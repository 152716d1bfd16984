import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { readProgram, type ReferenceRow } from '../references/program.ts';
import type { ProjectFile } from '../reading/code/project-reader.ts';
import { projectFilePatterns, projectFilesOf } from '../references/project-files.ts';
import { ReferenceColumnError } from '../domain/references.ts';
import { ReferenceGraph } from '../references/reference-graph.ts';
import { rowsOf } from './schema.ts';
import { IndexDamagedError, stored } from './storage-errors.ts';

const PROJECT_FILES = projectFilePatterns.map((pattern) => `path LIKE '${pattern}'`).join(' OR ');

/** Rows taken over between two turns of the event loop. */
const SLICE = 500;

/** While searches ask and the table keeps changing, making the graph anew takes at most so much of the time. */
const MAKING_SHARE = 0.1;

/**
 * The references of an index as a graph. It is made anew when somebody asks after the table has changed, so that an
 * edit costs nothing but its own row.
 */
export class StoredReferences {
  readonly #table: Table;
  readonly #now: () => number;
  #known: { version: number; graph: Promise<ReferenceGraph> } | undefined;
  /** One that is being made, of the table as it was when that began. */
  #making: Promise<ReferenceGraph> | undefined;
  /** The last that was made, and until when it is good enough for a search. */
  #ready: { graph: ReferenceGraph; until: number } | undefined;

  /** @param now Milliseconds, monotonic. */
  constructor(table: Table, now: () => number = () => performance.now()) {
    this.#table = table;
    this.#now = now;
  }

  /** As the table is now. @throws IndexDamagedError when a row's references fail their checksum */
  async current(): Promise<ReferenceGraph> {
    const version = await stored('read its version', () => this.#table.version());
    if (this.#known?.version !== version) {
      const graph = this.#make();
      this.#known = { version, graph };
      graph.catch(() => (this.#known = undefined));
    }
    return this.#known.graph;
  }

  /**
   * The graph that was made last, and the first one as soon as it is made: a search does not wait for a graph after
   * each edit, nor for each of the thousand commits while vectors are written. Where that is a while ago, another is
   * made for those who come later.
   */
  async recent(): Promise<ReferenceGraph> {
    return this.ready() ?? this.#making ?? this.current();
  }

  /** As `recent`, but undefined while none was ever made, which begins now: for who shows something at once. */
  ready(): ReferenceGraph | undefined {
    if (this.#ready === undefined || this.#now() >= this.#ready.until) this.#makeBeside();
    return this.#ready?.graph;
  }

  /** Whoever waits for a graph next meets what goes wrong here. */
  #makeBeside(): void {
    if (!this.#making) this.current().catch(() => undefined);
  }

  async #make(): Promise<ReferenceGraph> {
    const began = this.#now();
    const making = this.#read();
    this.#making = making;
    try {
      const graph = await making;
      const ended = this.#now();
      this.#ready = { graph, until: ended + (ended - began) / MAKING_SHARE };
      return graph;
    } finally {
      if (this.#making === making) this.#making = undefined;
    }
  }

  async #read(): Promise<ReferenceGraph> {
    const rows: ReferenceRow[] = [];
    const paths = new Set<string>();
    await stored('read its references', async () => {
      const columns = ['id', 'path', 'language', 'start_line', 'references'];
      for await (const batch of this.#table.query().select(columns)) {
        for (let from = 0; from < batch.numRows; from += SLICE) {
          for (const row of rowsOf<Omit<ReferenceRow, 'startLine'> & { start_line: number }>(
            batch.slice(from, from + SLICE),
          )) {
            const { start_line: startLine, ...rest } = row;
            paths.add(row.path);
            if (row.references !== '') rows.push({ ...rest, startLine });
          }
          await nextTurn();
        }
      }
    });
    const projectFiles = await stored('read its project files', () => this.#projectFiles());
    try {
      return new ReferenceGraph(await readProgram(rows, this.#ready?.graph.program), [...paths], projectFiles);
    } catch (error) {
      if (error instanceof ReferenceColumnError) throw new IndexDamagedError(error.message);
      throw error;
    }
  }

  async #projectFiles(): Promise<ProjectFile[]> {
    const found = await this.#table.query().where(PROJECT_FILES).select(['path', 'start_line', 'text']).toArrow();
    const rows = rowsOf<{ path: string; start_line: number; text: string }>(found);
    return projectFilesOf(rows.map(({ path, start_line: startLine, text }) => ({ path, startLine, text })));
  }
}
