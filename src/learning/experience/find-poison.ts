import { expression } from '#base';
import { plain, readNames } from '#search';
import { foreignLines, type RecordedPassage, type SentPrompt } from '#research';
import type { ExperienceRecord } from './experience-record.ts';

/**
 * Matches text that is addressed to a language model instead of a reader. It refuses harmless notes about such texts,
 * too, which costs one example each.
 */
const ADDRESSES_MODEL = [
  expression('iu')`
    \b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|
      directions?)\b
  `,
  /\b(?:ignore|disregard|forget)\b[^.\n]{0,20}\b(?:above|before|previous|earlier|everything)\b/iu,
  expression('iu')`
    \b(?:you are|act as|behave as|pretend to be) (?:now |from now on )?(?:a|an|the)? ?(?:\w+ ){0,2}
    (?:assistant|ai|model|chatbot|system|dan)\b
  `,
  /\b(?:system|developer) (?:prompt|message|instructions?)\b/iu,
  /\b(?:new|updated|real|actual) (?:instructions?|task|orders?)\s*:/iu,
  expression('iu')`
    \b(?:reply|respond|answer|output|say|print)\b[^.\n]{0,20}\b(?:only|exactly|always|nothing but)
    \b[^.\n]{0,20}(?:with|:|["“'])
  `,
  expression('iu')`
    \b(?:do not|don't|never) (?:tell|reveal|mention|inform|cite|warn)
    \b[^.\n]{0,40}\b(?:user|reader|anyone|passage|instruction)
  `,
  /\b(?:assistant|ai|model|llm|chatbot)s?\b[^.\n]{0,20}\b(?:must|should|shall|have to)\b/iu,
  /<\|[a-z_]+\|>|\[\/?INST\]|<<SYS>>|<\/?(?:system|assistant|start_of_turn|end_of_turn)>|<\/passage>/iu,
];
/** Zero-width and direction marks, tag characters: text that a person does not see. */
const HIDDEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

interface SuspectText {
  question: string;
  answer: string;
  /** Passages that the answer rests on, by id. */
  passageIds: readonly string[];
  /** Passages that were shown. */
  passages: readonly RecordedPassage[];
}

/**
 * Why a node must not teach: it cites what was not shown, says what its passages do not hold, or holds text that was
 * written for a model. undefined when nothing speaks against it.
 */
export function findPoison({ question, answer, passageIds, passages }: SuspectText): string | undefined {
  const shown = new Map(passages.map((passage) => [passage.id, passage]));
  const foreign = passageIds.find((id) => !shown.has(id));
  if (foreign !== undefined) return `It cites a passage that was not shown (${foreign}).`;
  const addressed = textPoison([
    question,
    answer,
    ...passages.flatMap((passage) => [passage.path, passage.title, passage.text]),
  ]);
  if (addressed !== undefined) return addressed;
  const cited = passageIds.flatMap((id) => shown.get(id) ?? []);
  if (cited.length === 0) return undefined;
  const missing = missingFrom(answer, cited);
  return missing === undefined ? undefined : `Its passages do not hold "${missing}".`;
}

/**
 * The same for a record that comes from a file: files can be edited, and imported from elsewhere. Every text in it
 * counts, whatever it is called.
 */
export function poisonOfRecord(record: ExperienceRecord): string | undefined {
  const { id: _, source: __, sent, ...lesson } = record;
  const poison =
    record.kind === 'reading'
      ? findPoison({
          question: record.question,
          answer: record.answer,
          passageIds: record.passageIds,
          passages: record.passages,
        })
      : undefined;
  return poison ?? textPoison(textsIn(lesson)) ?? (sent && promptPoison(sent));
}

/** Why a call must not teach: what was put into its prompt, or replied to it, was written for a model. */
export const promptPoison = ({ messages, reply }: SentPrompt): string | undefined =>
  textPoison([...foreignLines(messages), reply]);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function textPoison(texts: readonly string[]): string | undefined {
  const addressed = texts.find(speaksToModel);
  return addressed === undefined
    ? undefined
    : `It holds text that speaks to the model: "${addressed.trim().slice(0, 60)}".`;
}

export const speaksToModel = (text: string): boolean =>
  HIDDEN.test(text) || ADDRESSES_MODEL.some((pattern) => pattern.test(text.normalize('NFKC')));

/** The first name or number of an answer that none of its passages holds. */
function missingFrom(answer: string, passages: readonly RecordedPassage[]): string | undefined {
  const held = ` ${passages.map((passage) => spaced(`${passage.path} ${passage.title} ${passage.text}`)).join(' ')} `;
  return readNames(answer).find((name) => !held.includes(` ${spaced(name.text)} `))?.text;
}

const spaced = (text: string): string =>
  plain(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
