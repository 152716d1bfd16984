/** What RISE compares decompositions on (He et al. 2025). */
export const DIMENSIONS = ['conciseness', 'rationality', 'sequencing', 'goal-orientation'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Which of two is better; `tie` when neither is. */
export type Preference = 'first' | 'second' | 'tie';
export type Preferences = Record<Dimension, Preference>;

/** A question and its sub-questions, in order. */
export interface Decomposition {
  question: string;
  steps: readonly string[];
}

export const opposite = (preference: Preference): Preference => (preference === 'tie' ? 'tie' : preference === 'first' ? 'second' : 'first');
