/** The longest question that is taken, in UTF-16 units; longer ones are told, not cut. */
export const MAX_QUESTION_LENGTH = 20_000;
/** The most files that a scope may name. */
export const MAX_SCOPE_FILES = 500;
