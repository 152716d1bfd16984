/** Paths that change all the time and are never indexed. */
const NOISE = /\/(?:\.git|node_modules|\.vscode-test)\//;

interface ChangeBatchOptions {
  /** Milliseconds of silence before a batch goes out. */
  quietMs: number;
  /** Longest that the first change of a batch waits. */
  longestMs: number;
  /** More than this many at once are told as `'many'`: looking at everything again is cheaper. */
  most: number;
}

const changeBatchDefaults: ChangeBatchOptions = { quietMs: 250, longestMs: 2000, most: 5000 };

/**
 * Collects changed files into batches: a save that formats, a branch switch, an unpacked archive are one change each.
 */
export class ChangeBatch {
  readonly #deliver: (changed: string[] | 'many') => void;
  readonly #options: ChangeBatchOptions;
  readonly #uris = new Set<string>();
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #longest: ReturnType<typeof setTimeout> | undefined;

  constructor(deliver: (changed: string[] | 'many') => void, options: ChangeBatchOptions = changeBatchDefaults) {
    this.#deliver = deliver;
    this.#options = options;
  }

  add(uri: string): void {
    if (NOISE.test(uri)) return;
    this.#uris.add(uri);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.flush(), this.#options.quietMs);
    this.#longest ??= setTimeout(() => this.flush(), this.#options.longestMs);
  }

  flush(): void {
    this.#clear();
    if (this.#uris.size === 0) return;
    const changed = this.#uris.size > this.#options.most ? 'many' : [...this.#uris];
    this.#uris.clear();
    this.#deliver(changed);
  }

  dispose(): void {
    this.#clear();
    this.#uris.clear();
  }

  #clear(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#longest);
    this.#quiet = undefined;
    this.#longest = undefined;
  }
}
