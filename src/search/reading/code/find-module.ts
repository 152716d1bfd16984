import { baseName } from '#base';
import { ancestors, folderOf, joinPath, nearest, stemOfBase, type PathTable } from '../links/path-table.ts';
import type { ResolvedImport } from './code-language.ts';

/** A file as an import's end. */
export const onlyPath = (path: string | undefined): ResolvedImport | undefined =>
  path === undefined ? undefined : { path };

/** The folder nearest to a file. */
export function nearestFolder(folders: readonly string[], from: string): string | undefined {
  const found = nearest(
    folders.map((folder) => `${folder}/-`),
    from,
  );
  return found === undefined ? undefined : folderOf(found);
}

/** Stands for a package: the file named like it, its documentation, or the first. */
export function packageFile(folder: string, extension: string, table: PathTable): ResolvedImport | undefined {
  const files = table.filesIn(folder).filter((path) => path.endsWith(extension) && !path.endsWith(`_test${extension}`));
  const path =
    files.find((file) => stemOfBase(baseName(file)) === baseName(folder)) ??
    files.find((file) => baseName(file) === `doc${extension}`) ??
    files[0];
  return path === undefined ? undefined : { path, isPackage: true };
}

/** Java and its kin: the package path is the folder path, from some source root on. */
export function classFile(parts: readonly string[], from: string, table: PathTable): ResolvedImport | undefined {
  for (let dropped = 0; dropped < parts.length; dropped++) {
    const tail = parts.slice(dropped).join('/');
    if (dropped > 0 && parts.length - dropped < 2) break;
    const files = table.endingWithStem(tail).filter((path) => /\.(?:java|kt|kts|cs|php|scala)$/.test(path));
    const path = files.find((file) => file !== from) && nearest(files, from);
    if (path) return { path };
    const folder = nearestFolder(table.foldersEndingWith(tail), from);
    const extension = /\.\w+$/.exec(from)?.[0] ?? '';
    const found = folder === undefined ? undefined : packageFile(folder, extension, table);
    if (found) return found;
  }
  return undefined;
}

/** A file named from the importing one's folder, or from a root of sources. */
export function fromFolder(
  module: string,
  extensions: readonly string[],
  from: string,
  table: PathTable,
): string | undefined {
  const forms = (path: string | undefined): (string | undefined)[] => [
    path,
    ...extensions.map((extension) => (path === undefined ? undefined : path + extension)),
  ];
  const beside = table.findFirst(forms(joinPath(folderOf(from), module)));
  if (beside !== undefined || /^\.{1,2}\//.test(module)) return beside;
  for (const base of [...ancestors(from), '']) {
    const found = table.findFirst([
      ...forms(joinPath(base, module)),
      ...forms(joinPath(base, `lib/${module}`)),
      ...forms(joinPath(base, `app/${module}`)),
    ]);
    if (found !== undefined) return found;
  }
  return module.includes('/')
    ? nearest(
        extensions.flatMap((extension) => table.endingWith(module.endsWith(extension) ? module : module + extension)),
        from,
      )
    : undefined;
}
