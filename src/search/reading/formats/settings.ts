import type { Definition, References } from '../../domain/references.ts';
import type { SourceText } from '../text/source-text.ts';
import type { KeyNode } from './key-tree.ts';

/** A file with more keys than this is data. */
const MOST_SETTINGS = 500;
const DEEPEST = 12;
const LONGEST_LINE = 1_000;
const VARIABLE = /^[A-Z][A-Z\d_]{2,79}$/;
const NAME = /^[\w$./:@-]{3,80}$/;
/** A word alone is the name of too much: `size`, and not `cache.size`, `cacheSize` or `cache-size`. */
const TELLS = /[._:/-]|[a-z\d][A-Z]/;
const GIVEN = /^["']?([A-Z][A-Z\d_]{2,79})["']?=/;
const ASSIGNED = /^(?:export[ \t]{1,9})?([\w$./@:-]{1,80}?)[ \t]{0,20}[=:]/;

/** Keys that programs may look values up by, each where it stands first. */
class Settings {
  readonly #lines = new Map<string, number>();

  /**
   * @param keys What leads to the value, the outermost first; an environment variable is called by its name alone, and
   *   so is a key with dots.
   */
  add(keys: readonly string[], line: number, isInList = false): void {
    const last = keys.at(-1) ?? '';
    const isWhole = VARIABLE.test(last) || last.includes('.');
    if (isInList && !isWhole) return;
    const name = isWhole || keys.length > DEEPEST ? last : keys.join('.');
    if (NAME.test(name) && (isWhole || TELLS.test(name)) && !this.#lines.has(name)) this.#lines.set(name, line);
  }

  /** Undefined for none, and for a file that holds data. */
  references(): References | undefined {
    if (this.#lines.size === 0 || this.#lines.size > MOST_SETTINGS) return undefined;
    const definitions = [...this.#lines].map(([name, line]): Definition => ({
      kind: 'setting',
      name,
      container: '',
      line,
      endLine: line,
    }));
    return { definitions, uses: [], imports: [] };
  }
}

/** Keys of structured data by their key paths; of lists only what is known by its name alone. */
export function settingsOf(nodes: readonly KeyNode[]): References | undefined {
  const settings = new Settings();
  const visit = (level: readonly KeyNode[], above: readonly string[], isInList: boolean): void => {
    for (const { key, value = '', startLine, children, isItem = false, isHeader } of level) {
      const keys = isItem || key === '' ? above : [...above, key];
      // `- PORT=80`, or `- name: PORT`
      const variable = GIVEN.exec(isItem ? value : key === 'name' ? `${value}=` : '')?.[1];
      if (variable !== undefined && (isItem || isInList)) settings.add([variable], startLine);
      if (keys !== above && !isHeader) settings.add(keys, startLine, isInList);
      visit(children, keys, isInList || isItem);
    }
  };
  visit(nodes, [], false);
  return settings.references();
}

/** `key = value`, `key: value` and `export KEY=value`, under `[section]` where there are such. */
export function assignedSettings({ lines }: SourceText): References | undefined {
  const settings = new Settings();
  let section: string[] = [];
  for (const [i, line] of lines.entries()) {
    const text = line.slice(0, LONGEST_LINE).trim();
    const header = /^\[([\w$./:@ -]{1,80})\]$/.exec(text)?.[1];
    if (header !== undefined) section = [header];
    const key = /^[#;!]/.test(text) ? undefined : ASSIGNED.exec(text)?.[1];
    if (key !== undefined) settings.add(section.length > 0 ? [...section, key] : [key], i + 1);
  }
  return settings.references();
}
