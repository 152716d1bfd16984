/** The in-memory index that training uses serves tests as well. */
export { MemoryPassageIndex } from '../../src/evaluation/training/memory-passage-index.ts';
