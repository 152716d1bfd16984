import { shortened } from '#base/text';
/**
 * What a passage is called: the names of what encloses it, from its document's title or outermost symbol to its own
 * (`Decisions > Costs`, `Store > merge`). No other file knows what is written between these names.
 */
const BETWEEN = ' > ';

/** The names in a title, outermost first. */
export const titleParts = (title: string): string[] =>
  title
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The title of these names, outermost first. */
export const titleOfParts = (parts: readonly string[]): string => parts.join(BETWEEN);

/** The title of what has this name, inside what has the title `above`. */
export const titleUnder = (above: string, name: string): string => (above === '' ? name : titleOfParts([above, name]));

/** A name that stays one part wherever its title is split. */
export const asOnePart = (name: string): string => name.replaceAll(BETWEEN, ' › ');

/** The document's own title, which tops that of each passage of it; '' where there is none. */
export const documentTitle = (title: string): string => titleParts(title)[0] ?? '';

/** The name of the passage itself, without what encloses it: its heading, or its symbol; '' where it has none. */
export const lastTitle = (title: string): string => titleParts(title).at(-1) ?? '';

/** True when every part of `ancestor` begins `title`. */
export const isTitlePrefix = (ancestor: string, title: string): boolean =>
  ancestor === '' || title === ancestor || title.startsWith(`${ancestor}${BETWEEN}`);

/** Title of what two pieces become together. */
export function joinTitles(first: string, second: string, most: number): string {
  if (first === second || second === '') return first;
  if (first === '') return second;
  if (isTitlePrefix(first, second)) return second;
  if (isTitlePrefix(second, first)) return first;
  const a = titleParts(first);
  const b = titleParts(second);
  let common = 0;
  while (common < a.length - 1 && common < b.length - 1 && a[common] === b[common]) common += 1;
  const names = [...new Set([...(a[common] ?? '').split(', '), ...(b[common] ?? '').split(', ')])].filter(
    (name) => name !== '' && name !== '…',
  );
  const shown = names.length > 4 ? [...names.slice(0, 4), '…'] : names;
  return shortenTitle(titleOfParts([...a.slice(0, common), shown.join(', ')]), most);
}

/** Keeps a title's first and last parts when the whole is too long. In time linear in the title. */
export function shortenTitle(title: string, most: number): string {
  if (title.length <= most) return title;
  const [first = '', ...others] = titleParts(title).map((part) => shortened(part, 60));
  let isCut = others[0] === '…';
  const rest = isCut ? others.slice(1) : others;
  let length = titleOfParts([first, ...others]).length;
  let left = 0;
  for (; length > most && rest.length - left > (isCut ? 0 : 1); left++) {
    length -= BETWEEN.length + (rest[left] ?? '').length;
    if (!isCut) length += BETWEEN.length + 1;
    isCut = true;
  }
  const joined = titleOfParts([first, ...(isCut ? ['…'] : []), ...rest.slice(left)]);
  return shortened(joined, most);
}
