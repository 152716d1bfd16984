import { withoutTrailingSlashes } from '#base';

/** A file or folder as people name it, as paths are written: no `./` before it, no slash behind; '' for all. */
export function plainPath(path: string): string {
  const clean = withoutTrailingSlashes(path.replace(/^(?:\.\/)+/, ''));
  return clean === '.' ? '' : clean;
}

/** Whether a path is one of these or lies below one; true where none are given. */
export const liesIn = (path: string, places: readonly string[] | undefined): boolean =>
  places === undefined ||
  places.some((place) => {
    const plain = plainPath(place);
    return plain === '' || path === plain || path.startsWith(`${plain}/`);
  });
