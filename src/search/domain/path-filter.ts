import { withoutTrailingSlashes } from '#base';

/** A file or folder as people name it, as paths are written: no `./` before it, no slash behind; '' for all. */
export function plainPath(path: string): string {
  const clean = withoutTrailingSlashes(path.replace(/^(?:\.\/)+/, ''));
  return clean === '.' ? '' : clean;
}

/** How a path may be written on a disk: as it is typed, composed (`é`), and decomposed as macOS stores it. */
export const writtenForms = (path: string): string[] => [
  ...new Set([path, path.normalize('NFC'), path.normalize('NFD')]),
];

/** Whether a path is one of these or lies below one; true where none are given. */
export const liesIn = (path: string, places: readonly string[] | undefined): boolean =>
  places === undefined ||
  places.some((place) => {
    const plain = plainPath(place).normalize('NFC');
    const written = path.normalize('NFC');
    return plain === '' || written === plain || written.startsWith(`${plain}/`);
  });
