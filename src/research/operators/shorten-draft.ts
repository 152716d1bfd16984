import type { ChatMessage } from '../language-model/language-model.ts';
import { withoutThoughts } from '../language-model/thoughts.ts';
import { contentStems, readWords, withoutLeading, withoutTrailing } from '#search';
import { throwIfCancelled, expression, lowerInPlace } from '#base';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import { asksForList } from '../answer/quote.ts';
import { type AskingContext, askText } from '../context/ask-model.ts';

const SHORTEN_TOKENS = 32;

/** An answer of at least this many words may be a sentence. */
const SENTENCE_WORDS = 5;
/** These ask for an account, which may be as long as it is. */
const ASKS_FOR_ACCOUNT = expression('iu')`
  ^\W*(?:why|explain|describe|summari[sz]e|how (?!many|much|long|old|far|tall|high|often|big|large)|
    what (?:happen|is the (?:difference|purpose|role))|in what way)
`;
/** The answer may be a name that the question holds. */
const OFFERS_CHOICE = /\bor\b|^\W*which (?:of|one)\b/iu;
const YES_NO = /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must)\b/iu;

const EXAMPLES = [
  {
    question: 'In which town was the founder of the Alder company born?',
    answer: 'Ruth Ockley, who founded it, was born in Tarnby',
    short: 'Tarnby',
  },
  {
    question: 'Which is older, the mill or the weir?',
    answer: 'The mill was built before the weir',
    short: 'the mill',
  },
  { question: 'Are Tarnby and Bergen in the same county?', answer: 'They are in different counties', short: 'no' },
  {
    question: 'What closed the weir?',
    answer: 'The weir was closed because the gate had rusted through',
    short: 'the gate had rusted through',
  },
] as const;

/** Whether an answer may be as long as it is: an account is asked for, or several things. */
export const asksForAccount = (question: string): boolean => ASKS_FOR_ACCOUNT.test(question) || asksForList(question);

/** What makes words a sentence: hardly a name or a date holds one. */
const AUXILIARY = /\b(?:is|are|was|were|has|have|had|did|does|became|began)\b/iu;

/**
 * True for an answer that comes as a sentence where a few words were asked for: it repeats the question, or says
 * something of what it names.
 */
export function isRambling(question: string, answer: string): boolean {
  if (asksForAccount(question)) return false;
  if (readWords(answer).length < SENTENCE_WORDS) return false;
  const asked = new Set(contentStems(question));
  return AUXILIARY.test(answer) || contentStems(answer).some((word) => asked.has(word));
}

/**
 * An answer cut down to what was asked for. What small models do not manage while they reason they do well as a task of
 * its own.
 */
export function shortenPrompt(question: string, answer: string): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'You cut an answer down to what was asked for: a name, a place, a date, a number, yes or no, a reason. ' +
        'You copy words, you add none.',
    },
    ...EXAMPLES.flatMap((example): ChatMessage[] => [
      task(example.question, example.answer),
      { role: 'assistant', content: example.short },
    ]),
    task(question, answer),
  ];
}

const task = (question: string, answer: string): ChatMessage => ({
  role: 'user',
  content: `Question: ${question}\nAnswer: ${answer}`,
});

/**
 * The reply, as the answer writes it; undefined when it is not a part of the answer, only echoes the question, or is
 * yes or no to a question that does not ask for that.
 */
export function readShortened(reply: string, question: string, answer: string): string | undefined {
  const first =
    withoutThoughts(reply, 'removed')
      .trim()
      .split('\n')[0]
      ?.replace(/^(?:short|answer)\s*:\s*/iu, '') ?? '';
  const line = withoutTrailing(withoutLeading(first, /["'“”]/), /["'“”.\s]/);
  if (/^(?:yes|no)$/iu.test(line)) {
    const said = /^\W*(yes|no)\b/iu.exec(answer)?.[1]?.toLowerCase() ?? line.toLowerCase();
    return YES_NO.test(question) && said === line.toLowerCase() ? said : undefined;
  }
  if (!/[\p{L}\p{N}]/u.test(line) || line.length >= answer.length) return undefined;
  const at = placeOfWords(answer, line);
  const asked = new Set(contentStems(question));
  const echoes = contentStems(line).every((word) => asked.has(word)) && !OFFERS_CHOICE.test(question);
  return at < 0 || echoes ? undefined : answer.slice(at, at + line.length);
}

/** Where words stand in a text as whole words, whatever their case; -1 where they do not. */
function placeOfWords(text: string, words: string): number {
  const [within, sought] = [lowerInPlace(text), lowerInPlace(words)];
  const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  for (let at = within.indexOf(sought); at >= 0; at = within.indexOf(sought, at + 1))
    if (!isWord(within.charAt(at - 1)) && !isWord(within.charAt(at + sought.length))) return at;
  return -1;
}

/**
 * A draft whose short answer is short: when it came as a sentence, one small call cuts it down (about 230 tokens); the
 * sentence stays among the statements. Whatever the model replies, the short answer is a part of what it had said, or
 * yes or no; when the call fails, the draft stays as it is: a long answer is better than none.
 * @throws AbortError only
 */
export async function shortenDraft(context: AskingContext, question: string, draft: AnswerDraft): Promise<AnswerDraft> {
  if (!isRambling(question, draft.short) || context.budget.exhausted() !== undefined) return draft;
  try {
    const { text } = await askText(context, shortenPrompt(question, draft.short), {
      maxTokens: SHORTEN_TOKENS,
      stop: ['\n'],
    });
    return { ...draft, short: readShortened(text, question, draft.short) ?? draft.short };
  } catch (error) {
    throwIfCancelled(error, context.signal);
    return draft;
  }
}
