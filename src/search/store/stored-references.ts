import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { ReferenceColumnError } from '../domain/references.ts';
import { type Program, readProgram, type ReferenceRow } from '../references/program.ts';
import { ReferenceGraph } from '../references/reference-graph.ts';
import { rowsOf } from './schema.ts';
import { IndexDamagedError, stored } from './storage-errors.ts';

/** Rows taken over between two turns of the event loop. */
const SLICE = 500;

/**
 * The references of an index as a graph. It is made anew when somebody asks after the table has changed, so that an
 * edit costs nothing but its own row.
 */
export class StoredReferences {
  readonly #table: Table;
  #known: { version: number; graph: Promise<ReferenceGraph> } | undefined;
  /** The last that was read: of files that are as they were nothing is read again. */
  #program: Program | undefined;

  constructor(table: Table) {
    this.#table = table;
  }

  /** As the table is now. @throws IndexDamagedError when a row's references fail their checksum */
  async current(): Promise<ReferenceGraph> {
    const version = await stored('read its version', () => this.#table.version());
    if (this.#known?.version !== version) {
      const graph = this.#read();
      this.#known = { version, graph };
      graph.catch(() => (this.#known = undefined));
    }
    return this.#known.graph;
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
    try {
      this.#program = await readProgram(rows, this.#program);
      return new ReferenceGraph(this.#program, [...paths]);
    } catch (error) {
      if (error instanceof ReferenceColumnError) throw new IndexDamagedError(error.message);
      throw error;
    }
  }
}
