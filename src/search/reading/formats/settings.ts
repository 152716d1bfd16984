import type { Definition, References } from '../../domain/references.ts';
import type { SourceText } from '../text/source-text.ts';

/** A file with more keys than this is data. */
const MOST_SETTINGS = 500;
const DEEPEST = 12;
const LONGEST_LINE = 1_000;
const VARIABLE = /^[A-Z][A-Z\d_]{2,79}$/;
const NAME = /^[\w$./:@-]{3,80}$/;
/** A word alone is the name of too much: `size`, and not `cache.size`, `cacheSize` or `cache-size`. */
const TELLS = /[._:/-]|[a-z\d][A-Z]/;
const ENTRY = /^(?:"([^"]{1,80})"|'([^']{1,80})'|([\w$./@-]{1,80}))[ \t]{0,20}:(?:[ \t](.*))?$/;
const GIVEN = /^["']?([A-Z][A-Z\d_]{2,79})["']?=/;
const ASSIGNED = /^(?:export[ \t]{1,9})?([\w$./@:-]{1,80}?)[ \t]{0,20}[=:]/;

/** Keys that programs may look values up by, each where it stands first. */
export class Settings {
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

/** What stands around a line, by its column; a list's item has no key. */
interface Level {
  column: number;
  key?: string;
}

/** Keys of YAML by their indentation, be the file whole or not. */
export function yamlSettings({ lines }: SourceText): References | undefined {
  const settings = new Settings();
  let levels: Level[] = [];
  /** The column of a key whose text stands on the lines below. */
  let textOf = Infinity;
  for (const [i, line] of lines.entries()) {
    let rest = line.slice(0, LONGEST_LINE).trim();
    let column = line.length - line.trimStart().length;
    if (rest === '' || column > textOf) continue;
    textOf = Infinity;
    if (rest.startsWith('#')) continue;
    if (/^(?:---|\.\.\.)/.test(rest)) levels = [];
    for (; /^-[ \t]/.test(rest); column += 2, rest = rest.slice(2)) {
      levels = [...levels.filter((level) => level.column <= column), { column: column + 1 }];
    }
    const [, double, single, plain, written = ''] = ENTRY.exec(rest) ?? [];
    const value = written.trimStart();
    const key = double ?? single ?? plain;
    levels = levels.filter((level) => level.column < column);
    const isInList = levels.some((level) => level.key === undefined);
    // `- PORT=80`, or `- name: PORT`
    const variable = GIVEN.exec(key === undefined ? rest : key === 'name' ? `${value}=` : '')?.[1];
    if (variable !== undefined && isInList) settings.add([variable], i + 1);
    if (key === undefined) continue;
    levels.push({ column, key });
    settings.add(
      levels.flatMap((level) => level.key ?? []),
      i + 1,
      isInList,
    );
    if (/^[|>]/.test(value)) textOf = column;
  }
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
