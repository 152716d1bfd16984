import picomatch from 'picomatch';

/** Patterns of files.exclude and search.exclude as one question: which of them, if any, leaves this path out? */
export function excludeMatcher(globs: readonly string[]): (relative: string) => string | undefined {
  const matchers = globs.map((glob) => {
    let end = glob.length;
    while (glob[end - 1] === '/') end -= 1;
    const pattern = glob.slice(0, end).replace(/^\.?\//, '');
    return { glob, matches: picomatch(pattern, { dot: true, nocase: process.platform !== 'linux' }) };
  });
  return (relative) => matchers.find(({ matches }) => matches(relative))?.glob;
}
