/** What an import brings in. */
export interface ImportedModule {
  /** As written: `./store.ts`, `flask.json`, `crate::store`, `acme/store.h`. */
  module: string;
  /** Single names with what they are called here. */
  names: { name: string; local: string }[];
  /** What the module as a whole is called here; undefined when it has no name. */
  namespace?: string;
}

/** Longer statements are data; groups inside groups that are deeper than this are nobody's imports. */
export const LONGEST_STATEMENT = 20_000;
const DEEPEST_GROUP = 20;

/** `a::{b, c::{d as e}}` to single paths. */
export function expandUse(tree: string): ImportedModule[] {
  const found: ImportedModule[] = [];
  const waiting: { prefix: string; rest: string; depth: number }[] = [{ prefix: '', rest: tree, depth: 0 }];
  for (let next = waiting.pop(); next && found.length < 100; next = waiting.pop()) {
    const brace = next.rest.indexOf('{');
    if (brace >= 0 && next.depth >= DEEPEST_GROUP) continue;
    if (brace >= 0) {
      const inner = next.rest.slice(brace + 1, next.rest.lastIndexOf('}'));
      const prefix = next.prefix + next.rest.slice(0, brace).replace(/\s/g, '');
      for (const part of splitTop(inner)) waiting.push({ prefix, rest: part.trim(), depth: next.depth + 1 });
      continue;
    }
    const [path = '', alias] = next.rest.split(' as ');
    const full = (next.prefix + path.trim()).replace(/::self$/, '').replace(/::\*$/, '');
    const last = full.split('::').at(-1);
    if (!last) continue;
    const parent = full.split('::').slice(0, -1).join('::');
    if (path.trim().endsWith('*') || parent === '') found.push({ module: full, names: [], namespace: last });
    else found.push({ module: parent, names: [{ name: last, local: alias?.trim() ?? last }] });
  }
  return found;
}

function splitTop(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= list.length; i++) {
    if (list[i] === '{') depth += 1;
    if (list[i] === '}') depth -= 1;
    if (i !== list.length && (list[i] !== ',' || depth > 0)) continue;
    if (list.slice(start, i).trim() !== '') parts.push(list.slice(start, i));
    start = i + 1;
  }
  return parts;
}

/** `import a.b.C`, as Java and Kotlin write it. */
export function dotted(text: string): ImportedModule[] {
  const match = /\bimport\s+(static\s+)?([\w.]+)(\.\*)?(?:\s+as\s+(\w+))?/.exec(text);
  const full = match?.[2];
  if (!full) return [];
  const parts = full.split('.');
  const last = parts.at(-1) ?? full;
  if (match[3]) return [{ module: full, names: [] }];
  if (match[1]) return [{ module: parts.slice(0, -1).join('.'), names: [{ name: last, local: last }] }];
  return [{ module: full, names: [{ name: last, local: match[4] ?? last }] }];
}
