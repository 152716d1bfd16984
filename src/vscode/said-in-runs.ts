import type { Answer } from '#research';
import type { Translate } from '#search';

/**
 * What runs say in English about themselves: reasons of a critique, a refusal or a choice, and notices. Kept with the
 * run, it is put into the editor's language where it is shown. Those with more words in common stand first.
 */
const sayings: readonly ((t: Translate) => string)[] = [
  // Critiques
  (t) => t('The same question was answered before in this run.'),
  (t) => t('No passage was found for it.'),
  (t) => t('Its passages hardly bear on it ({0}).'),
  (t) => t('Its passages were read and give no answer.'),
  (t) => t('Its passages hardly carry an answer ({0}).'),
  (t) => t('The passages that it cites hold it.'),
  (t) => t('Its passages were found for it.'),
  (t) => t('Its passages carry an answer ({0}).'),
  (t) => t('No statement of it holds up against its passages.'),
  (t) => t('{0} of {1} statements hold up against their passages.'),
  (t) => t('The reasoning repeats itself.'),
  // Statements that do not hold
  (t) => t('The passages that it cites say the opposite.'),
  (t) => t('The passages that it cites say nothing of it.'),
  (t) => t('The passages that it cites do not mention {0}.'),
  (t) => t('It names no passage, and none that was found says it.'),
  // Refusals
  (t) => t('Only {0} files or folders were looked at.'),
  (t) => t('Only some kinds of files were looked at.'),
  (t) => t('Only {0} was looked at.'),
  (t) => t('No file has been read yet.'),
  (t) => t('Nothing there speaks of {0}.'),
  (t) => t('The index is still being built; files read so far: {0}.'),
  (t) => t('Files read so far: {0}, {1} % of them indexed by meaning.'),
  (t) => t('Files read: {0}, {1} % of them indexed by meaning.'),
  (t) => t('No file has this word of the question: {0}.'),
  (t) => t('No file has these words of the question: {0}.'),
  (t) => t('Nothing that was looked at has this word of the question: {0}.'),
  (t) => t('Nothing that was looked at has these words of the question: {0}.'),
  (t) => t('The passages that were found do not tell.'),
  (t) => t('No sub-question could be answered.'),
  (t) => t('The sub-answers do not add up to an answer.'),
  (t) => t('No conclusion was drawn from the sub-answers.'),
  (t) => t('The model does not know.'),
  (t) => t('The conclusion was rejected: {0}'),
  (t) => t('The nearest passages do not carry an answer.'),
  (t) => t('No step of the search led to an answer.'),
  (t) => t('What was found does not add up to an answer.'),
  (t) => t('Nothing was found for this question.'),
  (t) => t('The reasoning did not arrive at an answer.'),
  (t) => t('The time was over before an answer was found.'),
  (t) => t('No chain of links, names or shared terms leads from {0} to {1}.'),
  (t) => t('No way leads from {0} to {1}: not both are defined in what is read as code.'),
  (t) => t('Nothing that is read as code defines {0}.'),
  (t) => t('Names like it: {0}.'),
  (t) => t('What the model said stands in none of the passages.'),
  (t) => t('The passages do not seem to carry an answer.'),
  (t) => t('The model would have said: {0}.'),
  (t) => t('No operator is allowed to answer.'),
  // Choices
  (t) => t('No language model is chosen: the answer is made of quotes.'),
  (t) => t('Asked for: a plan by debate.'),
  (t) => t('Asked for.'),
  (t) => t('The plan is debated.'),
  (t) => t('One call plans the steps.'),
  (t) => t('Fast was asked for: one retrieval.'),
  (t) => t('It asks where programs define or use a name.'),
  (t) => t('It asks how one name leads to another.'),
  (t) => t('It asks what links two files.'),
  // Notices
  (t) => t('Files are still being read: nothing can be searched yet.'),
  (t) => t('Files were being read for the first time: that was waited for.'),
  (t) => t('The index is not complete: {0} passages can be searched by words, {1} % of them by meaning.'),
  (t) => t('This step answers from the language model’s memory: no file was read for it.'),
  (t) => t('This run has used its budget of {0}. The answer is made of what was found until then.'),
  (t) => t('The language model failed: {0} The answer is made of what was found without it.'),
  (t) => t('The language model found no answer; the reader gives these passages {0} %, and quotes them.'),
  (t) => t('The model gave no usable sub-questions: the question is looked up as a whole.'),
  (t) => t('No word yet from {0}: it has sent nothing for {1} seconds.'),
  (t) => t('The proposed plan made no sense, and neither did its repair: {0}'),
  (t) => t('The proposed plan was repaired: {0}'),
  (t) => t('The model proposed no usable plan.'),
  (t) => t('The usual plan for this type of question is used.'),
  (t) => t('All {0} steps that a question may take are used.'),
  (t) => t('The model gave no usable sub-question: the question is looked up as a whole.'),
  (t) => t('The model answered “{0}”; the years in the passages say otherwise.'),
  (t) => t('A last look at the answer found it unsupported: {0}'),
  (t) => t('A last look at the answer found it irrelevant: {0}'),
  (t) => t('Only the first {0} characters of the question are looked at; it has {1}.'),
  (t) => t('One of the ways to answer ("{0}") failed; the others voted without it.'),
  (t) => t('{0} holds text that tries to give a language model orders.'),
  (t) => t('{0} hold text that tries to give a language model orders.'),
  (t) => t('It was treated as text.'),
  (t) => t('A step failed and the plan goes on without it: {0}'),
  (t) => t('The question could not be rewritten to stand alone: {0}'),
  (t) => t('The question could not be classified: {0}'),
  (t) => t('No strategy could be chosen: {0}'),
  (t) => t('Examples of earlier runs could not be read: {0}'),
  (t) => t('The reader doubts that these passages answer the question: {0} % likely.'),
];

/** No translation: what is said in English. */
export const asWritten: Translate = (message) => message;

/** A saying as a run writes it, in pieces around the places of its values. */
const known = sayings.map((saying) => ({ saying, pieces: saying(asWritten).split(/\{\d\}/) }));

/** The English of every saying, with `{0}`, `{1}` for its values. */
export const sayingsInEnglish: readonly string[] = sayings.map((saying) => saying(asWritten));

/**
 * What a run said, sentence by sentence in the language of `t`; a sentence that is not known stays as it is, such as
 * one of a language model.
 */
export function translateSaid(said: string, t: Translate): string {
  const unfilled: Translate = (message) => t(message, '{0}', '{1}');
  const parts: string[] = [];
  for (let rest = said.trim(); rest !== '';) {
    const match = firstMatch(rest);
    const length = match?.length ?? lengthOfSentence(rest);
    parts.push(match ? filled(match.saying(unfilled), match.values) : rest.slice(0, length));
    rest = rest.slice(length).trimStart();
  }
  return parts.join(' ');
}

/** The text of an answer, its reader's doubt in the language of `t`. */
export const answerInWords = ({ text, doubt }: Pick<Answer, 'text' | 'doubt'>, t: Translate): string =>
  doubt === undefined ? text : text.replace(doubt, () => translateSaid(doubt, t));

interface Match {
  saying: (t: Translate) => string;
  values: string[];
  length: number;
}

function firstMatch(text: string): Match | undefined {
  for (const { saying, pieces } of known) {
    const match = matchPieces(text, pieces);
    if (match) return { saying, ...match };
  }
  return undefined;
}

/** What a text has in the places of the values, and how long it is up to the last piece; undefined where it is another. */
export function matchPieces(
  text: string,
  [first = '', ...others]: readonly string[],
): { values: string[]; length: number } | undefined {
  if (!text.startsWith(first)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const piece of others) {
    const next = piece === '' ? text.length : text.indexOf(piece, at);
    if (next < 0) return undefined;
    values.push(text.slice(at, next));
    at = next + piece.length;
  }
  return at === text.length || text.charAt(at) === ' ' ? { values, length: at } : undefined;
}

function lengthOfSentence(text: string): number {
  const end = text.indexOf('. ');
  return end < 0 ? text.length : end + 1;
}

/** The text with its values in their places. */
export const filled = (text: string, values: readonly string[]): string =>
  text.replace(/\{(\d)\}/g, (whole, index: string) => values[Number(index)] ?? whole);
