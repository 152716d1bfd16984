/** α as a function of the number of outcomes learnt so far. */
export type Exploration = (steps: number) => number;

/** The paper's α = 2, throughout. */
export const constantExploration = (alpha = 2): Exploration => () => alpha;

/**
 * Starts at the paper's α = 2 and falls like 1/√t: 2 is meant for rewards of unit scale, and is far too curious for the small
 * differences between strategies once each of their features has been seen. `half` outcomes bring it to 1/√2 of its start.
 */
export const annealedExploration = (start = 2, half = 10, floor = 0.05): Exploration => (steps) => Math.max(floor, start / Math.sqrt(1 + steps / half));
