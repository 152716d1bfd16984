import { cosine } from '#base';
import type { DecompositionExample, LanguageModel } from '#research';
import type { Retriever } from '#search';
import { type DecompositionRecord, type ExperienceRecord, mayBeEmbedded, mayBeShown } from './experience-record.ts';

/** Who reads the examples: the model that plans, and the model that embeds the questions. */
export interface ExampleReaders {
  model: Pick<LanguageModel, 'id' | 'endpoint'>;
  /** Id of the embedding model; '' where it is not known. */
  embedder: string;
  embed: Retriever['embed'];
}

/** Examples in a prompt: small models lose the thread of more. */
const SHOWN = 2;
/** The newest decompositions that are looked through. */
const CANDIDATES = 300;
/** Longest question or step, in characters, and most steps: an example is short. */
const MOST = { characters: 300, steps: 8 };

/**
 * Chooses examples for a question among the decompositions of earlier runs (Liu et al. 2022: nearest neighbours by
 * embedding). Vectors of questions are kept in memory. Only records that these readers have read already are shown.
 */
export function exampleChooser(): (
  records: readonly ExperienceRecord[],
  question: string,
  readers: ExampleReaders,
  signal?: AbortSignal,
) => Promise<DecompositionExample[]> {
  let vectors = new Map<string, Float32Array>();
  return async (records, question, { model, embedder, embed }, signal) => {
    const usable = records.filter(({ source }) => mayBeShown(source, model) && mayBeEmbedded(source, embedder));
    const ids = new Set(usable.map(({ id }) => id));
    const examples = decompositionExamples(records, ({ id }) => ids.has(id)).slice(0, CANDIDATES);
    if (examples.length === 0) return [];
    const keyOf = (text: string): string => `${embedder}\n${text}`;
    const unknown = [
      question,
      ...examples.map((example) => example.question).filter((text) => !vectors.has(keyOf(text))),
    ];
    const [asked = new Float32Array(), ...found] = await embed(unknown, signal);
    const known = new Map(unknown.slice(1).map((text, i) => [keyOf(text), found[i] ?? new Float32Array()]));
    const pool = examples.map((example) => {
      const key = keyOf(example.question);
      return { example, vector: known.get(key) ?? vectors.get(key) ?? new Float32Array() };
    });
    vectors = new Map(pool.map(({ example, vector }) => [keyOf(example.question), vector]));
    return chooseExamples({ text: question, vector: asked }, pool, SHOWN);
  };
}

interface AskedStep {
  time: number;
  text: string;
  /** What was known when it was asked. */
  history: readonly { question: string; answer: string }[];
}

/**
 * Decompositions of runs that ended well, newest first, one per question. A run is left out as a whole when one of its
 * records may not be used or is gone: half a decomposition teaches to stop half-way.
 */
export function decompositionExamples(
  records: readonly ExperienceRecord[],
  mayUse: (record: DecompositionRecord) => boolean = () => true,
): DecompositionExample[] {
  const runs = new Map<
    string,
    { question: string; time: number; steps: AskedStep[]; known?: string[]; usable: boolean }
  >();
  for (const record of records) {
    if (record.kind !== 'decomposition') continue;
    const { source, runQuestion, next, history } = record;
    const run = runs.get(source.runId) ?? { question: runQuestion, time: source.time, steps: [], usable: true };
    run.usable &&= mayUse(record);
    if (next === null) run.known = history.map(({ question }) => question);
    else run.steps.push({ time: source.time, text: next, history });
    runs.set(source.runId, run);
  }
  const whole = [...runs.values()].filter(
    ({ usable, steps, known }) =>
      usable && steps.length > 0 && known?.every((question) => steps.some(({ text }) => text === question)),
  );
  const newest = new Map(whole.sort((a, b) => a.time - b.time).map((run) => [formOf(run.question), run]));
  return [...newest.values()]
    .sort((a, b) => b.time - a.time)
    .map(({ question, steps }) => ({
      question,
      steps: asPlanned(
        question,
        steps.sort((a, b) => a.time - b.time),
      ),
    }))
    .filter(
      ({ question, steps }) =>
        steps.length <= MOST.steps && [question, ...steps].every((text) => text.length <= MOST.characters),
    );
}

/**
 * Steps as a plan writes them before anything is known: `#n` stands for an earlier answer. An example that names the
 * answer would teach to guess it. An answer that the question itself names was known from the start.
 */
function asPlanned(question: string, asked: readonly AskedStep[]): string[] {
  const steps = [...new Map(asked.map((step) => [step.text, step])).values()];
  return steps.map(({ text, history }, i) => {
    const earlier = history
      .map((exchange) => ({
        answer: exchange.answer.trim(),
        place: steps.findIndex((step) => step.text === exchange.question),
      }))
      .filter(({ answer, place }) => place >= 0 && place < i && isTelling(answer) && !wholeWords(answer).test(question))
      .sort((a, b) => b.answer.length - a.answer.length);
    return earlier.reduce((said, { answer, place }) => said.replace(wholeWords(answer), () => `#${place + 1}`), text);
  });
}

/** An answer that is no mere yes or no: a number, or four letters at least. */
const isTelling = (answer: string): boolean => /\p{N}/u.test(answer) || /\p{L}{4}/u.test(answer);

/** The words of an answer where no letter or digit adjoins them. */
const wholeWords = (answer: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}#])${answer.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}(?![\p{L}\p{N}])`,
    'giu',
  );

const formOf = (question: string): string => question.trim().toLowerCase();

/** Weight of nearness to the question against distance from the examples that were chosen already. */
const RELEVANCE = 0.7;
/** Cosine above which two questions are the same in other words. */
const REPETITION = 0.97;

/**
 * The `count` examples nearest to the question, without near-repetitions (maximal marginal relevance, Carbonell and
 * Goldstein 1998). The nearest comes last, where small models look. Vectors are L2-normalised. The question itself is
 * no example.
 */
export function chooseExamples(
  question: { text: string; vector: Float32Array },
  pool: readonly { example: DecompositionExample; vector: Float32Array }[],
  count: number,
): DecompositionExample[] {
  let left = pool.filter(({ example }) => formOf(example.question) !== formOf(question.text));
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
