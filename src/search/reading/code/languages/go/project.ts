import { folderOf } from '#base';
import type { ProjectReader } from '../../project-reader.ts';

/** The folders of packages, by the paths that `go.mod` gives modules. */
export const goModules: ProjectReader = {
  files: ['go.mod'],
  read: (files) => {
    const known = files
      .flatMap(({ path, text }) => {
        const module = /^module\s+(\S+)/m.exec(text)?.[1];
        return module ? [{ module, folder: folderOf(path) }] : [];
      })
      .sort((a, b) => b.module.length - a.module.length);
    return {
      find: (module, _name, _from, table) => {
        if (known.length === 0) return undefined;
        const own = known.find((one) => module === one.module || module.startsWith(`${one.module}/`));
        if (!own) return 'outside';
        const folder = [own.folder, module.slice(own.module.length + 1)].filter((part) => part !== '').join('/');
        return { paths: table.filesIn(folder).filter((path) => path.endsWith('.go')) };
      },
    };
  },
};
