/** The in-memory index that training uses serves tests as well. */
export { MemoryPassageIndex } from '../../lab/heads/memory-passage-index.ts';
