import { folderOf } from '#base';
import { z } from 'zod';
import { joinPath } from '../../../links/path-table.ts';
import { lenientJson } from '../../project-json.ts';
import type { ProjectReader } from '../../project-reader.ts';

const autoload = z.object({
  'psr-4': z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});
const composerFile = z.object({ autoload: autoload.optional(), 'autoload-dev': autoload.optional() });

/** A namespace, `Shop::`, with the folder that its classes lie in. */
interface Namespace {
  prefix: string;
  folder: string;
}

/** Where classes lie by the namespaces that `composer.json` gives folders (`psr-4`). */
export const composerNamespaces: ProjectReader = {
  files: ['composer.json'],
  read: (files) => {
    const known = files
      .flatMap(({ path, text }) => namespacesOf(path, text))
      .sort((a, b) => b.prefix.length - a.prefix.length);
    return {
      find: (module, _name, _from, table) => {
        const meant = known.filter(({ prefix }) => module.startsWith(prefix));
        if (meant.length === 0) return undefined;
        const classes = meant.flatMap(({ prefix, folder }) => {
          const path = joinPath(folder, `${module.slice(prefix.length).replaceAll('::', '/')}.php`);
          return path === undefined ? [] : [path];
        });
        const path = table.findFirst(classes);
        // A function of one of the workspace's namespaces may stand in any file.
        return path === undefined ? 'inside' : { paths: [path] };
      },
    };
  },
};

function namespacesOf(path: string, text: string): Namespace[] {
  const read = composerFile.safeParse(lenientJson(text));
  if (!read.success) return [];
  return [read.data.autoload, read.data['autoload-dev']].flatMap((loaded) =>
    Object.entries(loaded?.['psr-4'] ?? {}).flatMap(([namespace, folders]) =>
      [folders].flat().flatMap((inner) => {
        const folder = joinPath(folderOf(path), inner);
        return folder === undefined ? [] : [{ prefix: namespace.replaceAll('\\', '::'), folder }];
      }),
    ),
  );
}
