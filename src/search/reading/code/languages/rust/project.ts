import { addTo, folderOf } from '#base';
import { ancestors, joinPath } from '../../../links/path-table.ts';
import { type CodeLanguage, nearestFolder } from '../../code-language.ts';
import type { ProjectFile, ProjectModules, ProjectReader } from '../../project-reader.ts';

/** Where crates lie, by the names that `Cargo.toml` gives them. @param fileOf Finds modules of the same crate. */
export const cargoCrates = (fileOf: NonNullable<CodeLanguage['resolveImport']>): ProjectReader => ({
  files: ['Cargo.toml'],
  read: (files): ProjectModules => {
    const crates = new Crates(files);
    return {
      find: (module, name, from, table) => {
        const [first = '', ...rest] = module.split('::');
        const sources = crates.find(first, from);
        if (sources === undefined) return undefined;
        // To whoever stands in a crate, its own name is `crate`.
        const found = fileOf(['crate', ...rest].join('::'), name, `${sources}/-.rs`, table);
        return found && { paths: [found.path], ...(found.nameIsModule && { nameIsModule: true }) };
      },
      names: (module, from) => crates.find(module, from) !== undefined,
    };
  },
});

/** Where the sources of crates lie by the names that programs call them by, and what folders call them otherwise. */
class Crates {
  readonly #sources = new Map<string, string[]>();
  readonly #names = new Map<string, ReadonlyMap<string, string>>();

  constructor(files: readonly ProjectFile[]) {
    for (const { path, text } of files) this.#add(path, text);
  }

  /** The folder of a crate's sources; undefined for one that no project file names. */
  find(name: string, from: string): string | undefined {
    const folders = [...ancestors(from), ''];
    const meant = folders.flatMap((folder) => this.#names.get(folder)?.get(name) ?? [])[0] ?? name;
    const found = this.#sources.get(meant) ?? [];
    return found.length > 1 ? (nearestFolder(found, from) ?? found[0]) : found[0];
  }

  #add(path: string, text: string): void {
    const folder = folderOf(path);
    const { name, library, sources, renamed } = readCargo(text);
    const place = joinPath(folder, sources === undefined ? 'src' : folderOf(sources));
    for (const called of new Set([name, library])) {
      if (called === undefined || place === undefined) continue;
      addTo(this.#sources, called.replaceAll('-', '_'), place);
    }
    if (renamed.size > 0) this.#names.set(folder, renamed);
  }
}

/**
 * What a Cargo.toml says of names: the package's, its library's with its first file, and those that it gives to others.
 */
function readCargo(text: string): {
  name?: string;
  library?: string;
  sources?: string;
  renamed: Map<string, string>;
} {
  const found: ReturnType<typeof readCargo> = { renamed: new Map() };
  let section = '';
  for (const line of text.split('\n')) {
    section = /^\s{0,20}\[{1,2}([^[\]]{1,200})\]/.exec(line)?.[1]?.trim() ?? section;
    const [, key = '', value = ''] = /^\s*([\w-]{1,100})\s*=\s*(.{1,1000})/.exec(line) ?? [];
    const written = /^"([^"]{1,200})"/.exec(value)?.[1];
    if (section === 'package' && key === 'name' && written !== undefined) found.name = written;
    if (section === 'lib' && key === 'name' && written !== undefined) found.library = written;
    if (section === 'lib' && key === 'path' && written !== undefined) found.sources = written;
    if (!section.includes('dependencies')) continue;
    const [, inSection] = /dependencies\.([\w-]{1,100})$/.exec(section) ?? [];
    const meant = inSection === undefined ? /\bpackage\s{0,20}=\s{0,20}"([^"]{1,200})"/.exec(value)?.[1] : written;
    if (meant === undefined || (inSection !== undefined && key !== 'package')) continue;
    found.renamed.set((inSection ?? key).replaceAll('-', '_'), meant.replaceAll('-', '_'));
  }
  return found;
}
