import type { Answer, KeptNotice, RunNotice } from '#research';
import { runNoticeInWords } from '#research/notices';
import { ALONE } from '#research/operators';
import type { Translate } from '#search';
import { questionTypes } from './labels.ts';
import { translateError } from './said-in-errors.ts';
import { isListing, listInWords } from './said-in-lists.ts';
import { englishOf, inWords, piecesOf, type Saying } from './sayings.ts';

/**
 * What runs say in English about themselves: reasons of a critique, a refusal or a choice. Kept with the run, it is put
 * into the editor's language where it is shown. Those with more words in common stand first.
 */
export const sayings: readonly Saying[] = [
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
  (t) => t('Asked for: {0}.'),
  (t) => t('Looks like {0}: {1}; thorough costs about {2} × as much.'),
  (t) => t('Looks like {0}: {1}.'),
  (t) => t('The usual plan for this type of question ({0}).'),
  (t) => t('The plan is debated.'),
  (t) => t('One call plans the steps.'),
  (t) => t('Fast was asked for: one retrieval.'),
  (t) => t('It asks where programs define or use a name.'),
  (t) => t('It asks how one name leads to another.'),
  (t) => t('It asks what links two files.'),
  // Plans that are mended
  (t) => t('The proposed plan made no sense:'),
  (t) => t('The model proposed no usable plan.'),
  (t) => t('The plan uses an operator twice: the second time would find what the first found.'),
  (t) => t('The plan looks nothing up: the answer must come from the files.'),
  (t) => t('The plan thinks before anything was looked up: {0} must come after.'),
  // Doubts
  (t) => t('The reader doubts that these passages answer the question: {0} % likely.'),
];

/** What a saying may name: types of questions, and plans by their titles. */
const names: readonly Saying[] = [
  (t) => t('a question over several passages'),
  (t) => t('a comparison'),
  (t) => t('a question about time'),
  (t) => t('a lookup'),
  (t) => t('a question over everything'),
  (t) => t('a question that may have no answer here'),
  (t) => t('the usual plan'),
  (t) => t('its usual plan, without a debate'),
  ...ALONE.map(({ title }) => title),
  (t) => t('a plan made in one call'),
  (t) => t('a debated plan'),
  (t) => t('a vote of one look and step by step'),
  (t) => t('one look, then step by step with that answer in view'),
  (t) => t('step by step, then one look with that answer in view'),
];

const named = new Map<string, Saying>([
  ...names.map((name) => [englishOf(name), name] as const),
  ...Object.entries(questionTypes),
]);

/** A saying as a run writes it, in pieces around the places of its values. */
const known = sayings.map((saying) => ({ saying, pieces: piecesOf(saying) }));

/**
 * What a run said, sentence by sentence in the language of `t`; a sentence that is not known stays as it is, such as
 * one of a language model.
 */
export function translateSaid(said: string, t: Translate): string {
  const parts: string[] = [];
  for (let rest = said.trim(); rest !== '';) {
    const match = firstMatch(rest);
    const length = match?.length ?? lengthOfSentence(rest);
    const values = match?.values.map((value) => named.get(value)?.(t) ?? translateError(value, t)) ?? [];
    parts.push(match ? inWords(match.saying, values, t) : rest.slice(0, length));
    rest = rest.slice(length).trimStart();
  }
  return parts.join(' ');
}

/** What a run tells besides, in the language of `t`, with what an error or a critique says in it. */
export const noticeInWords = (notice: RunNotice | KeptNotice, t: Translate): string =>
  runNoticeInWords(notice, t, (said) => {
    const error = translateError(said, t);
    return error === said ? translateSaid(said, t) : error;
  });

/** The text of an answer, in the language of `t` what a list says of itself, and its reader's doubt. */
export function answerInWords(answer: Pick<Answer, 'text' | 'doubt' | 'by' | 'lead'>, t: Translate): string {
  const { text, doubt } = answer;
  if (isListing(answer)) return listInWords(text, t);
  return doubt === undefined ? text : text.replace(doubt, () => translateSaid(doubt, t));
}

/** What leads an answer, as {@link answerInWords} has it; undefined where nothing does. */
export const leadInWords = (answer: Pick<Answer, 'by' | 'lead'>, t: Translate): string | undefined =>
  answer.lead && (isListing(answer) ? listInWords(answer.lead.text, t) : answer.lead.text);

interface Match {
  saying: Saying;
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

/**
 * What a text has in the places of the values, and how long it is up to the last piece; undefined where it is another.
 */
function matchPieces(
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
