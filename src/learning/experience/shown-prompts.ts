import { nameForm, splitSentences } from '#search';
import { MOST_SUB_QUESTIONS, type NodeRecord, type RecordedPassage, SINGLE_STEP_PASSAGES } from '#research';
import { decompositionExamples } from '../rounds/example-pool.ts';
import type { CritiqueRecord, DecompositionRecord, KnownExchange, ReadingRecord } from './experience-record.ts';

/**
 * The form in which a node's answer was asked for, with the reply where it is part of the lesson; undefined, here and
 * below, where the records do not tell: they do not hold the prompts themselves. `nodes` are all of the run, in the
 * order in which they ended. Sub-questions are read by themselves. What other readers saw besides their passages
 * (earlier answers, other agents' words), and how these were numbered, is certain only for the run's first node:
 * nothing was there before, and its passages are the first of the run.
 */
export function readingForm(
  node: NodeRecord,
  nodes: readonly NodeRecord[],
): Pick<ReadingRecord, 'form' | 'reply'> | undefined {
  const first = nodes[0] === node && node.reply !== '';
  switch (node.operator) {
    case 'sub-step':
      if (!isWhole(node, nodes)) return { form: 'brief' };
      return first ? { form: 'full', reply: node.reply } : undefined;
    case 'single-step': {
      const form =
        node.passages.length > SINGLE_STEP_PASSAGES
          ? 'outline'
          : /^\W*because\b/iu.test(node.reply)
            ? 'full'
            : undefined; // which of the two was asked for is not recorded
      return first && form ? { form, reply: node.reply } : undefined;
    }
    case 'self-critical':
      return node.subQuestion === node.question ? undefined : { form: 'brief' };
    case 'iterative-step':
      return first ? { form: 'thought', reply: node.reply } : undefined;
    case 'chain-of-thought':
    case 'adaptive-step':
    case 'extractive':
      return undefined;
  }
}

/** True for the only node of a sub-step: its question was not split, and is read as a whole. */
const isWhole = (node: NodeRecord, nodes: readonly NodeRecord[]): boolean =>
  node.subQuestion === node.question && nodes.filter((other) => isBeside(other, node)).length === 1;
const isBeside = (other: NodeRecord, node: NodeRecord): boolean =>
  other.operator === node.operator && other.parentStepId === node.parentStepId;

/**
 * What was known when another sub-question was asked for in the place of the rejected one; undefined as well when
 * nobody asked so.
 */
export function knownAtStepBack(
  node: NodeRecord,
  nodes: readonly NodeRecord[],
  rejected: DecompositionRecord['rejected'],
): KnownExchange[] | undefined {
  const [instead, ...more] = rejected;
  if (!instead || more.length > 0 || (node.operator !== 'sub-step' && node.operator !== 'iterative-step'))
    return undefined;
  const refused = nodes
    .slice(0, nodes.indexOf(node))
    .filter((other) => isBeside(other, node))
    .at(-1);
  if (!refused?.verdict || isKnown(refused) || refused.subQuestion !== instead.question || rests(node, refused))
    return undefined;
  const known = knownBefore(refused, nodes);
  const recorded =
    // Thoughts are recorded under the question that they are about.
    node.operator === 'iterative-step' ? known.map(({ answer }) => ({ question: node.question, answer })) : known;
  // In a graph of agents each knows only what it has found itself.
  return sameExchanges(recorded, node.history) ? known : undefined;
}

/** A planned sub-question whose need was not met names what it needs: nobody asked for it anew. */
const rests = (node: NodeRecord, refused: NodeRecord): boolean => node.subQuestion.includes(`“${refused.subQuestion}”`);

/**
 * The sub-questions into which a run was split at its beginning, less those that led nowhere; `decompositions` are its
 * records.
 */
export function splitPlan(
  nodes: readonly NodeRecord[],
  decompositions: readonly DecompositionRecord[],
): string[] | undefined {
  const asked = nodes.filter((node) => decompositions.some((record) => record.source.stepId === node.stepId));
  const [first] = asked;
  if (first?.operator !== 'sub-step' || !asked.every((node) => isBeside(node, first))) return undefined;
  const steps = decompositionExamples(decompositions)[0]?.steps;
  return steps && steps.length <= MOST_SUB_QUESTIONS ? steps : undefined;
}

/**
 * What a critic was shown: besides what was known, the sentence of the answer's passages that holds it, if it is one
 * alone; which of several was the best is not recorded.
 */
export function shownToCritic(node: NodeRecord, nodes: readonly NodeRecord[]): CritiqueRecord['shown'] {
  const quote = READ_AS_NODES.has(node.operator) ? quoteOf(node) : undefined;
  if (quote === undefined) return undefined;
  // The whole question may be answered in more than one way.
  if (nameForm(node.subQuestion) === nameForm(node.question)) return { known: [], quote };
  const known = knownBefore(node, nodes);
  // What steps beside it kept in between may have been seen or not.
  return sameExchanges(known, node.history) ? { known, quote } : undefined;
}

/** Operators whose nodes are read and criticised one by one. */
const READ_AS_NODES: ReadonlySet<NodeRecord['operator']> = new Set<NodeRecord['operator']>([
  'sub-step',
  'single-step',
  'self-critical',
]);
const QUOTE_LENGTH = 400;
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|org|html?)$/iu;

function quoteOf({ answer, passages, passageIds }: NodeRecord): string | undefined {
  const read = passages.filter((passage) => passageIds.includes(passage.id)).map(sentencesOf);
  if (read.includes(undefined)) return undefined;
  const sentences = read.flatMap((own) => own ?? []);
  const holding = sentences.filter((sentence) => sentence.includes(answer));
  const [quote, ...others] = holding.length > 0 ? holding : sentences;
  return others.length > 0 ? undefined : quote?.slice(0, QUOTE_LENGTH);
}

/** undefined where it depends on whether the passage is code, which is not recorded. */
function sentencesOf({ path, text }: RecordedPassage): string[] | undefined {
  const [prose, code] = (['prose', 'code'] as const).map((shape) =>
    splitSentences(text, shape).map(({ start, end }) => text.slice(start, end)),
  );
  return PROSE.test(path) || prose?.join('\n') === code?.join('\n') ? prose : undefined;
}

/** Answers that the run had kept when this node ended, as prompts show them. */
function knownBefore(node: NodeRecord, nodes: readonly NodeRecord[]): KnownExchange[] {
  const seen = [...new Set(nodes.flatMap(({ passages }) => passages.map((passage) => passage.id)))];
  return nodes
    .slice(0, nodes.indexOf(node))
    .filter(isKnown)
    .map(({ subQuestion, answer, passageIds }) => ({
      question: subQuestion,
      answer,
      numbers: passageIds.map((id) => seen.indexOf(id) + 1),
    }));
}

const isKnown = ({ answer, verdict }: NodeRecord): boolean =>
  answer !== '' && (verdict === null || verdict.verdict === 'keep');

const sameExchanges = (
  some: readonly { question: string; answer: string }[],
  others: readonly { question: string; answer: string }[],
): boolean =>
  some.length === others.length &&
  some.every(({ question, answer }, i) => question === others[i]?.question && answer === others[i]?.answer);
