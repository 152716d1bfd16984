/** The longest question that is taken, in UTF-16 units; longer ones are told, not cut. */
export const MAX_QUESTION_LENGTH = 20_000;
/** The most files that a scope may name. */
export const MAX_SCOPE_FILES = 500;
/** The longest selection that goes with a question, in UTF-16 units; of a longer one this much is taken. */
export const MAX_SELECTION_LENGTH = 3000;
