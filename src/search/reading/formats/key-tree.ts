/** A value of structured data with the key or index that leads to it. */
export interface KeyNode {
  key: string;
  startLine: number;
  endLine: number;
  children: KeyNode[];
  /** What is written behind the key, where that is no more than a line, without its quotes. */
  value?: string;
  /** The value is one text. */
  isText?: boolean;
  /** An item of a list. */
  isItem?: boolean;
  /** The header of a table, which is no key. */
  isHeader?: boolean;
}

/** Deeper keys are left to the lines: nobody names a value by so many. */
export const DEEPEST_KEY = 100;
const LONGEST_NAME = 80;

/** A key as it begins on a line; what ends on another grows later. */
export const entryNode = (key: string, line: number, written = ''): KeyNode => {
  const value = /^(["'])(.*)\1$/.exec(written)?.[2] ?? written.split(/\s#/, 1)[0] ?? '';
  return { key, startLine: line, endLine: line, children: [], ...(value.length < LONGEST_NAME && { value }) };
};

/** Keys whose value names the object that they stand in. */
const NAMING_KEYS = ['name', 'id', 'title', 'key', 'label', 'path', 'uses', 'description'];

/**
 * Calls items of lists by their names; where they have none, by what they begin with, if no other begins with it
 * (`- alert: HighLoad`, `- package-ecosystem: cargo`).
 */
export function namedItems(nodes: readonly KeyNode[], byBeginning = true): void {
  const items = nodes.filter(({ isItem }) => isItem);
  const counts = new Map<string | undefined, number>();
  const beginningOf = ({ children: [first, second] }: KeyNode): string | undefined =>
    byBeginning && second && /\p{L}/u.test(first?.value ?? '') ? first?.value : undefined;
  for (const item of items) counts.set(beginningOf(item), (counts.get(beginningOf(item)) ?? 0) + 1);
  for (const item of items) {
    const name = NAMING_KEYS.flatMap(
      (key) => item.children.find((one) => one.key === key && one.value)?.value ?? [],
    )[0];
    const beginning = counts.get(beginningOf(item)) === 1 ? beginningOf(item) : undefined;
    item.key = name ?? beginning ?? item.key;
  }
  for (const { children } of nodes) namedItems(children, byBeginning);
}
