import type { Table } from '@lancedb/lancedb';
import { readProgram, type ReferenceRow } from '../references/program.ts';
import { type ProjectFile, projectFilesOf } from '../references/project-files.ts';
import { ReferenceColumnError } from '../domain/references.ts';
import { ReferenceGraph } from '../references/reference-graph.ts';
import { columnOf, textAt } from './schema.ts';
import { IndexDamagedError, stored } from './storage-errors.ts';

/** Project files by the ends of their names, which is what the storage can look for. */
const PROJECT_FILES = ['%config%.json', '%package.json', '%composer.json', '%go.mod', '%Cargo.toml']
  .map((ending) => `path LIKE '${ending}'`)
  .join(' OR ');

/**
 * The references of an index as a graph. It is made anew when somebody asks after the table has changed, so that an
 * edit costs nothing but its own row.
 */
export class StoredReferences {
  readonly #table: Table;
  #known: { version: number; graph: Promise<ReferenceGraph> } | undefined;
  /** The last that was made. */
  #ready: ReferenceGraph | undefined;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * As the table is now; with `stale`, as it was when the graph was last made, while another is made for those who come
   * later: a search does not wait for a graph after each edit. @throws IndexDamagedError when a row's references fail
   * their checksum
   */
  async now(stale: boolean): Promise<ReferenceGraph> {
    const version = await stored('read its version', () => this.#table.version());
    if (this.#known?.version !== version) {
      const graph = this.#read();
      this.#known = { version, graph };
      graph.then(
        (made) => (this.#ready = made),
        () => (this.#known = undefined),
      );
    }
    return (stale && this.#ready) || this.#known.graph;
  }

  async #read(): Promise<ReferenceGraph> {
    const rows: ReferenceRow[] = [];
    const paths = new Set<string>();
    await stored('read its references', async () => {
      const columns = ['id', 'path', 'language', 'start_line', 'references'];
      for await (const batch of this.#table.query().select(columns)) {
        const [id, path, language, line, references] = columns.map((name) => columnOf(batch, name));
        for (let i = 0; i < batch.numRows; i++) {
          const row = {
            id: String(id?.get(i)),
            path: path ? textAt(path, i) : '',
            language: String(language?.get(i)),
            startLine: Number(line?.get(i)),
            references: String(references?.get(i) ?? ''),
          };
          paths.add(row.path);
          if (row.references !== '') rows.push(row);
        }
      }
    });
    const projectFiles = await stored('read its project files', () => this.#projectFiles());
    try {
      return new ReferenceGraph(await readProgram(rows), [...paths], projectFiles);
    } catch (error) {
      if (error instanceof ReferenceColumnError) throw new IndexDamagedError(error.message);
      throw error;
    }
  }

  async #projectFiles(): Promise<ProjectFile[]> {
    const found = await this.#table.query().where(PROJECT_FILES).select(['path', 'start_line', 'text']).toArrow();
    const [path, line, text] = ['path', 'start_line', 'text'].map((name) => columnOf(found, name));
    return projectFilesOf(
      Array.from({ length: found.numRows }, (_, i) => ({
        path: path ? textAt(path, i) : '',
        startLine: Number(line?.get(i)),
        text: text ? textAt(text, i) : '',
      })),
    );
  }
}
