/** Offsets of a stretch of the file. */
interface Stretch {
  start: number;
  end: number;
}

/** What a local name stands for. */
interface Bound {
  type: string | undefined;
}

/** Names that stand for values of one function or block: what they mean is settled there. */
export class LocalNames {
  /** In order of their beginnings, with the number of the one around each; -1 for none. */
  private readonly scopes: (Stretch & { around: number })[] = [];
  /** By name and number of the scope. */
  private readonly byName = new Map<string, Map<number, Bound>>();

  /** @param scopes Of functions and blocks: one lies in another, or beside it. */
  constructor(scopes: readonly Stretch[]) {
    let around = -1;
    for (const scope of scopes.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      while (around >= 0 && (this.scopes[around]?.end ?? 0) <= scope.start) around = this.scopes[around]?.around ?? -1;
      around = this.scopes.push({ ...scope, around }) - 1;
    }
  }

  /** Whether a place lies in any function or block. */
  isInside(offset: number): boolean {
    return this.innermost(offset) >= 0;
  }

  /** A name that is bound there, with its type where the syntax tells. At the top of a file it is no local name. */
  bind(name: string, offset: number, type: string | undefined): void {
    const scope = this.innermost(offset);
    if (scope < 0 || OWN.has(name)) return;
    const bound = this.byName.get(name) ?? new Map<number, Bound>();
    this.byName.set(name, bound);
    const known = bound.get(scope);
    if (known) known.type ??= type;
    else bound.set(scope, { type });
  }

  /** What a name is at a place; undefined where no scope around it binds it. */
  at(name: string, offset: number): Bound | undefined {
    const bound = this.byName.get(name);
    if (!bound) return undefined;
    let scope = this.innermost(offset);
    for (let level = 0; scope >= 0 && level < MOST_LEVELS; level++) {
      const found = bound.get(scope);
      if (found) return found;
      scope = this.scopes[scope]?.around ?? -1;
    }
    return undefined;
  }

  /** Number of the innermost scope around a place; -1 for none. */
  private innermost(offset: number): number {
    let low = 0;
    let high = this.scopes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.scopes[middle]?.start ?? Infinity) <= offset) low = middle + 1;
      else high = middle;
    }
    let scope = low - 1;
    while (scope >= 0 && (this.scopes[scope]?.end ?? 0) <= offset) scope = this.scopes[scope]?.around ?? -1;
    return scope;
  }
}

/** People do not nest deeper; a name that is bound further out is taken to be no local one. */
const MOST_LEVELS = 200;
/** The object itself, however its language binds it. */
const OWN = new Set(['self', 'this', 'cls']);
