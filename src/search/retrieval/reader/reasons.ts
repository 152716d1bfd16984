/** Asks for a reason. */
const ASKS =
  /^\s*(?:and |so |but )?why\b|\bhow come\b|\b(?:what|which)(?:'s| is| was| are)? (?:the )?reasons?\b|,\s*why\b/iu;
/** Gives one, or says what comes of something. */
const TELLS =
  /\b(?:because|so that|so as to|due to|owing to|thanks to|in order to|in order that|otherwise|therefore|hence|thus|without (?:this|that|it|doing)|reasons?|as a result|to (?:avoid|prevent|ensure|make sure|keep|allow|reduce|protect|help|save|let|guarantee|minimi[sz]e|encourage|give|enable|remain|stay|comply)|(?:this|that|it|which) (?:also )?(?:ensures?|allows?|avoids?|prevents?|makes?|gives?|lets?|keeps?|means?|helps?|reduces?|causes?)|ensur(?:es|ing)|prevent(?:s|ing)|avoid(?:s|ing)|allow(?:s|ing)|causes?|lead(?:s|ing) to|results? in|rather than|instead of)\b/iu;

/** Not `since 2021`, nor `Since March`. */
const SINCE = /\b[Ss]ince(?! (?:\p{N}|\p{Lu}|then\b))/u;

export const asksReason = (question: string): boolean => ASKS.test(question);

/** Whether a text gives a reason for something. */
export const tellsReason = (text: string): boolean => TELLS.test(text) || SINCE.test(text);
