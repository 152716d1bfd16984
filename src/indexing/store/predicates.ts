import { withoutTrailingSlashes } from '../../files/trailing-slashes.ts';
import type { PassageFilter } from '../../model/passage-chain.ts';

/** A SQL string literal. LanceDB's predicates take no parameters, so every value goes through here. */
export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** `column IN ('a', 'b')`; an empty list matches nothing. */
export function isIn(column: string, values: readonly string[]): string {
  if (values.length === 0) return 'false';
  if (values.length === 1) return `${column} = ${literal(values[0] ?? '')}`;
  return `${column} IN (${values.map(literal).join(', ')})`;
}

/** True for rows whose list column shares an element with the values. */
export function sharesAny(column: string, values: readonly string[]): string {
  return values.length === 0 ? 'false' : `array_has_any(${column}, [${values.map(literal).join(', ')}])`;
}

/** A file or folder path as users give it: no leading `./`, no trailing slash. */
function pathPredicate(path: string): string {
  const clean = withoutTrailingSlashes(path.replace(/^(?:\.\/)+/, ''));
  if (clean === '' || clean === '.') return 'true';
  return `(path = ${literal(clean)} OR starts_with(path, ${literal(`${clean}/`)}))`;
}

/** The predicate of a filter; undefined when it restricts nothing. An empty list of anything matches nothing. */
export function filterPredicate(filter: PassageFilter | undefined): string | undefined {
  if (!filter) return undefined;
  const parts: string[] = [];
  if (filter.paths) parts.push(filter.paths.length === 0 ? 'false' : `(${filter.paths.map(pathPredicate).join(' OR ')})`);
  if (filter.languages) parts.push(isIn('language', filter.languages));
  if (filter.kinds) parts.push(isIn('kind', filter.kinds));
  if (filter.ids) parts.push(isIn('id', filter.ids));
  if (filter.excludeIds && filter.excludeIds.length > 0) parts.push(`NOT (${isIn('id', filter.excludeIds)})`);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}
