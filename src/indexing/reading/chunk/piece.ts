import type { PassageKind } from '../../../model/passage.ts';
import type { Block } from './block.ts';

/** Lines that will be one passage unless they are joined with a neighbour. */
export interface Piece {
  startLine: number;
  endLine: number;
  kind: PassageKind;
  title: string;
  family: Block['family'];
  page?: number;
  solitary: boolean;
  /** Estimated tokens. */
  tokens: number;
}

export const titleParts = (title: string): string[] => (title === '' ? [] : title.split(' > '));

/** True when every part of `ancestor` begins `title`. */
export function isTitlePrefix(ancestor: string, title: string): boolean {
  return ancestor === '' || title === ancestor || title.startsWith(`${ancestor} > `);
}

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
  const names = [...new Set([...(a[common] ?? '').split(', '), ...(b[common] ?? '').split(', ')])].filter((name) => name !== '' && name !== '…');
  const shown = names.length > 4 ? [...names.slice(0, 4), '…'] : names;
  return shortenTitle([...a.slice(0, common), shown.join(', ')].join(' > '), most);
}

/** Keeps a title's first and last parts when the whole is too long. */
export function shortenTitle(title: string, most: number): string {
  if (title.length <= most) return title;
  const parts = titleParts(title).map((part) => (part.length > 60 ? `${part.slice(0, 59).trimEnd()}…` : part));
  while (parts.length > 2 && parts.join(' > ').length > most) parts.splice(parts[1] === '…' ? 2 : 1, 1, ...(parts[1] === '…' ? [] : ['…']));
  const joined = parts.join(' > ');
  return joined.length <= most ? joined : `${joined.slice(0, most - 1).trimEnd()}…`;
}
