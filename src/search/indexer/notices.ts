import type { IndexNotice, NoticeCode } from '../domain/notices.ts';

/** The notices with one in place of what was said of the same before; without details it is no longer so. */
export function withNotice<Code extends NoticeCode>(
  notices: readonly IndexNotice[],
  code: Code,
  details: IndexNotice<Code>['details'] | undefined,
): IndexNotice[] {
  const others = notices.filter((notice) => notice.code !== code);
  return details ? [...others, { code, details } as IndexNotice] : others;
}

export const refusals = (passages: number): { passages: number } | undefined =>
  passages > 0 ? { passages } : undefined;

/** What of the notices is still worth knowing when an update has ended. */
export function noticesAfterUpdate(notices: readonly IndexNotice[], refused: number): IndexNotice[] {
  const wasDamaged = notices.some(({ code }) => code === 'damaged');
  return withNotice(wasDamaged ? [{ code: 'rebuilt', details: {} }] : [], 'passages-refused', refusals(refused));
}
