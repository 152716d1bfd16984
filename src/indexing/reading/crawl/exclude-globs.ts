import picomatch from 'picomatch';

/** Patterns of files.exclude and search.exclude as one question: which of them, if any, leaves this path out? */
export function excludeMatcher(globs: readonly string[]): (relative: string) => string | undefined {
  const matchers = globs.map((glob) => {
    let end = glob.length;
    while (glob[end - 1] === '/') end -= 1;
    const pattern = glob.slice(0, end).replace(/^\.?\//, '').split('/').map(fewStars).join('/');
    return { glob, matches: picomatch(pattern, { dot: true, nocase: process.platform !== 'linux' }) };
  });
  return (relative) => matchers.find(({ matches }) => matches(relative))?.glob;
}

/** So many stars may stand in the name of one folder or file: the time to find that a name does not fit grows with that power of its length. */
const MOST_STARS = 2;

/** Cuts what follows the stars that are let stand, so that the pattern leaves out somewhat more, never less. Braces stay whole: they would not close. */
function fewStars(segment: string): string {
  if (segment === '**' || /[{}()[\]]/.test(segment)) return segment;
  const parts = segment.split(/\*{1,64}/);
  return parts.length - 1 <= MOST_STARS ? segment : `${parts.slice(0, MOST_STARS + 1).join('*')}*`;
}
