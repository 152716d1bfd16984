import type { PlacedLink } from '../chunk/block.ts';

const OWN = /^(?:this|self|cls|Self|super|base|@+)\.(.+)$/;

/** Joins calls with what the same file defines: `this.merge` with `Store.merge`, `load` with the function `load`. */
export function joinLocalSymbols(links: readonly PlacedLink[], defines: readonly PlacedLink[], path: string): PlacedLink[] {
  const whole = new Set(defines.map((define) => define.target));
  const members = new Map<string, string | undefined>();
  for (const { target } of defines) {
    const dot = target.lastIndexOf('.');
    if (dot < 0) continue;
    const name = target.slice(dot + 1);
    members.set(name, members.has(name) ? undefined : target); // two classes with the same member: which one is unknown
  }
  return links.map((link) => {
    if (link.kind !== 'call' || link.via !== undefined) return link;
    const own = OWN.exec(link.target)?.[1];
    const anchor = own === undefined ? (whole.has(link.target) ? link.target : undefined) : members.get(own);
    const target = own ?? link.target;
    return anchor === undefined ? { ...link, target } : { ...link, target, path, anchor };
  });
}
