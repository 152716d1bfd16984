import type { CodeLanguage, ResolvedImport } from '../reading/code/code-language.ts';
import { codeLanguages } from '../reading/code/code-languages.ts';
import { PathTable } from '../reading/links/path-table.ts';
import { familyOf } from './code-families.ts';
import { type ProjectFile, ProjectFiles } from './project-files.ts';

/** The files that an import means. */
export interface ModuleFiles {
  paths: string[];
  /** The imported name was itself the module. */
  nameIsModule?: boolean;
}

const SCRIPTS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.d.ts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
];

/** Finds the files of imports by the paths that are indexed and by what project files say. */
export class Modules {
  private readonly table: PathTable;
  private readonly project: ProjectFiles;
  private readonly languages: ReadonlyMap<string, CodeLanguage>;
  private readonly known = new Map<string, ModuleFiles | undefined>();

  constructor(paths: readonly string[], projectFiles: readonly ProjectFile[]) {
    this.table = new PathTable([...paths].sort());
    this.project = new ProjectFiles(projectFiles);
    this.languages = new Map(
      codeLanguages.flatMap((language) => [language.id, ...(language.resolvesFor ?? [])].map((id) => [id, language])),
    );
  }

  /** Undefined for a module outside of the workspace. @param name The first imported symbol. */
  find(module: string, name: string | undefined, from: string, language: string): ModuleFiles | undefined {
    if (module === '') return undefined;
    const key = `${from}\n${module}\n${name ?? ''}`;
    if (this.known.has(key)) return this.known.get(key);
    const found = this.look(module, name, from, language);
    this.known.set(key, found);
    return found;
  }

  private look(module: string, name: string | undefined, from: string, language: string): ModuleFiles | undefined {
    if (familyOf(language) === 'ecmascript' && !module.startsWith('.')) {
      for (const place of this.project.scripts(module, from)) {
        const stem = place.replace(/\.(?:[mc]?[jt]sx?)$/, '');
        const path = this.table.findFirst([
          ...SCRIPTS.map((ending) => place + ending),
          ...SCRIPTS.map((ending) => stem + ending),
        ]);
        if (path !== undefined) return { paths: [path] };
      }
    }
    if (language === 'go' && this.project.knowsGoModules) {
      const folder = this.project.goFolder(module);
      return folder === undefined ? undefined : this.folder(folder, '.go');
    }
    const found = this.languages.get(language)?.resolveImport?.(module, name, from, this.table);
    return found && this.whole(found);
  }

  /** A package is all of its files. */
  private whole({ path, isPackage, nameIsModule }: ResolvedImport): ModuleFiles {
    if (isPackage) return this.folder(path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('.')));
    return { paths: [path], ...(nameIsModule && { nameIsModule }) };
  }

  private folder(folder: string, extension: string): ModuleFiles {
    return { paths: this.table.filesIn(folder).filter((path) => path.endsWith(extension)) };
  }
}
