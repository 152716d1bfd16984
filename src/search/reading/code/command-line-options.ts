/**
 * `-o, --output <file>`, `--force/--no-force`: dashes and a letter, at the beginning or behind a comma, a bar, a slash.
 */
const OPTION = /(?:^|[\s,|/])(--?[A-Za-z]\w{0,60}(?:-\w{1,40}){0,12})/g;
const MOST_OPTIONS = 6;

/** An option of a command line, and how far into the text it stands. */
interface WrittenOption {
  name: string;
  at: number;
}

/** The options that a literal names which begins with one; none for any other text. */
export function optionsWritten(words: string): WrittenOption[] {
  if (!/^--?[A-Za-z]/.test(words)) return [];
  const found: WrittenOption[] = [];
  // Behind the names of a placeholder, `<file>`, nothing more is named.
  for (const match of words.split(/[<[(=]/, 1)[0]?.matchAll(OPTION) ?? []) {
    const name = match[1] ?? '';
    if (found.length < MOST_OPTIONS) found.push({ name, at: match.index + match[0].length - name.length });
  }
  return found;
}

/**
 * The option that is added by its bare name: `output` is `--output`, one letter `-o`. A field's name is written with
 * dashes: `dry_run` is `--dry-run`.
 */
export function optionNamed(words: string, isField: boolean): WrittenOption[] {
  if (words.startsWith('-')) return optionsWritten(words);
  if (!/^[A-Za-z][\w-]{0,60}$/.test(words)) return [];
  const name = isField ? words.replaceAll('_', '-') : words;
  return [{ name: name.length === 1 ? `-${name}` : `--${name}`, at: 0 }];
}
