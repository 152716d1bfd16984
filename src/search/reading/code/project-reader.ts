import type { PathTable } from '../links/path-table.ts';

/** A file that says what names of modules mean, with its text. */
export interface ProjectFile {
  path: string;
  text: string;
}

/** The files that an import means. */
export interface ModuleFiles {
  /** None where the module is of the workspace, and nobody can tell which of its files is meant. */
  paths: string[];
  /** The imported name was itself the module. */
  nameIsModule?: boolean;
}

/** What the project files of a workspace say of a language's modules. */
export interface ProjectModules {
  /**
   * The files that an import means. `outside`: of another project. `inside`: of this one, and they say no file.
   * Undefined: they do not speak of it. For the last two, `resolveImport` of the language is asked.
   * @param name The first imported symbol.
   */
  find(
    module: string,
    name: string | undefined,
    from: string,
    table: PathTable,
  ): ModuleFiles | 'outside' | 'inside' | undefined;
  /** Whether they give a module of the workspace this name, so that programs use it without an import. */
  names?(module: string, from: string): boolean;
}

/** The project files of a language, and how they are read. Languages that share them share this object. */
export interface ProjectReader {
  /** Whole names of files. */
  files: readonly string[];
  /** JSON with this word in its path may be what one of them extends, and is read with them. */
  alsoJsonWith?: string;
  /** Outer folders come first: of packages of one name, as in the data of tests, the outermost is meant. */
  read(files: readonly ProjectFile[]): ProjectModules;
}
