import type { ExperienceRecord, ReadBy } from '../experience/experience-record.ts';
import { cosine } from '#base';
import { isStopWord, readWords } from '#search';

/** A question with the sub-questions that answered it: an in-context example for decomposition. */
export interface DecompositionExample {
  question: string;
  /** In order; at least one. `#1` stands for the answer to the first, as in a plan. */
  steps: string[];
}

/**
 * Decompositions of runs that ended well, newest first, one per question. A run that holds anything which may not be
 * used, or of which a step is gone, is left out as a whole: half a decomposition would teach to stop half-way.
 */
export function decompositionExamples(
  records: readonly ExperienceRecord[],
  mayUse: (readBy: ReadBy) => boolean = () => true,
): DecompositionExample[] {
  const runs = new Map<
    string,
    { question: string; time: number; steps: AskedStep[]; known: string[] | undefined; usable: boolean }
  >();
  for (const record of records) {
    if (record.kind !== 'decomposition') continue;
    const run = runs.get(record.source.runId) ?? {
      question: record.runQuestion,
      time: record.source.time,
      steps: [],
      known: undefined,
      usable: true,
    };
    if (!mayUse(record.source)) run.usable = false;
    if (record.next === null) run.known = record.history.map(({ question }) => question);
    else run.steps.push({ time: record.source.time, text: record.next, history: record.history });
    runs.set(record.source.runId, run);
  }
  const ended = [...runs.values()]
    .filter(
      ({ usable, known, steps }) =>
        usable && steps.length > 0 && known?.every((question) => steps.some(({ text }) => text === question)),
    )
    .sort((a, b) => b.time - a.time);
  const byQuestion = new Map(ended.reverse().map((run) => [run.question.trim().toLowerCase(), run]));
  return [...byQuestion.values()]
    .reverse()
    .map((run) => ({
      question: run.question,
      steps: asPlanned(
        run.question,
        run.steps.sort((a, b) => a.time - b.time),
      ),
    }))
    .filter(({ steps }) => !steps.some(isOnlyReference));
}

/** A thought that was looked up and became the next answer: earlier versions kept such as sub-questions. */
const isOnlyReference = (step: string): boolean => /^#\d[.!?]?$/u.test(step.trim());

interface AskedStep {
  time: number;
  text: string;
  /** What was known when it was asked. */
  history: readonly { question: string; answer: string }[];
}

/**
 * Steps as a plan writes them before anything is known: where one asks about an earlier answer, `#n` stands for it. An
 * example that names the answer would teach to guess it. What the question itself names was known from the start.
 */
function asPlanned(question: string, asked: readonly AskedStep[]): string[] {
  const steps = [...new Map(asked.map((step) => [step.text, step])).values()];
  return steps.map(({ text, history }, i) => {
    const earlier = history
      .flatMap((exchange) => {
        const place = steps.findIndex((step) => step.text === exchange.question);
        return place >= 0 && place < i && isTelling(exchange.answer) && !holds(question, exchange.answer)
          ? [{ answer: exchange.answer.trim(), place }]
          : [];
      })
      .sort((a, b) => b.answer.length - a.answer.length);
    return earlier.reduce((written, { answer, place }) => written.replace(whole(answer), () => `#${place + 1}`), text);
  });
}

/** An answer that says more than “no”: such words stand anywhere. */
const isTelling = (answer: string): boolean =>
  readWords(answer).some(({ text }) => !isStopWord(text) && text !== 'yes' && text !== 'no');

const holds = (text: string, part: string): boolean => part.trim() !== '' && whole(part.trim()).test(text);

/** The words of an answer where no letter or digit adjoins them; matches nothing for an answer of one character. */
const whole = (answer: string): RegExp =>
  answer.length < 2
    ? /(?!)/u
    : new RegExp(
        String.raw`(?<![\p{L}\p{N}#])${answer.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}(?![\p{L}\p{N}])`,
        'giu',
      );

/** How much nearness to the question counts against distance from the examples chosen already. */
const RELEVANCE = 0.7;
/** Cosine above which two questions are the same in other words. */
const REPETITION = 0.97;

/**
 * The `count` examples most like the question, without near-repetitions (maximal marginal relevance, Carbonell and
 * Goldstein 1998); the most like it comes last, where small models look. Vectors are L2-normalised. An example that is
 * the question itself is left out.
 */
export function chooseExamples(
  question: { text: string; vector: Float32Array },
  pool: readonly { example: DecompositionExample; vector: Float32Array }[],
  count: number,
): DecompositionExample[] {
  let left = pool.filter(({ example }) => example.question.trim().toLowerCase() !== question.text.trim().toLowerCase());
  const chosen: typeof left = [];
  while (chosen.length < count && left.length > 0) {
    const value = (entry: (typeof left)[number]): number =>
      RELEVANCE * cosine(entry.vector, question.vector) -
      (1 - RELEVANCE) * Math.max(0, ...chosen.map((other) => cosine(entry.vector, other.vector)));
    const best = left.reduce((a, b) => (value(b) > value(a) ? b : a));
    chosen.push(best);
    left = left.filter((entry) => entry !== best && cosine(entry.vector, best.vector) < REPETITION);
  }
  return chosen.map(({ example }) => example).reverse();
}
