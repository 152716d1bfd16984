/** How resolved edges stand to those of a reference. */
export interface Comparison {
  /** Share of the resolved edges that the reference has too, of those whose place it knows. */
  precision: number;
  /** Share of the reference's edges that were resolved. */
  recall: number;
  resolved: number;
  gold: number;
  /** Places with what was found and what is right. */
  wrong: string[];
  missed: string[];
}

/**
 * @param found Target by place.
 * @param expected The same of the reference; null for a place that leads to nothing in the project.
 */
export function compareEdges(
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string | null>,
): Comparison {
  const known = [...found].filter(([place]) => expected.has(place));
  const right = known.filter(([place, target]) => expected.get(place) === target);
  const gold = [...expected].filter(([, target]) => target !== null);
  return {
    precision: known.length === 0 ? 0 : right.length / known.length,
    recall: gold.length === 0 ? 0 : right.length / gold.length,
    resolved: known.length,
    gold: gold.length,
    wrong: known
      .filter(([place, target]) => expected.get(place) !== target)
      .map(([place, target]) => `${place} → ${target}, not ${expected.get(place) ?? 'anything here'}`),
    missed: gold.filter(([place]) => !found.has(place)).map(([place, target]) => `${place} → ${target ?? ''}`),
  };
}
