/** Maps that are filled as they are asked. */

interface Kept<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** What is kept under a key; made when it is first asked for. */
export function remembered<K, V>(kept: Kept<K, V>, key: K, make: () => V): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

/** Adds a value to the list that is kept under a key. */
export function addTo<K, V>(kept: Kept<K, V[]>, key: K, value: V): void {
  remembered(kept, key, (): V[] => []).push(value);
}
