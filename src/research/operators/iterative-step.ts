import type { SubAnswer } from '../domain/answer.ts';
import { nameForm, type Passage } from '#search';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import { askText } from '../context/ask-model.ts';
import { critiqueNode, type OtherQuestion, STEP_BACK_CALLS, stepBack, VERDICT_CALLS } from './critique.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import type { SentPrompt } from '../context/node-record.ts';
import { NEXT_THOUGHT_TOKENS, nextThoughtPrompt, readThought, type Thought } from './prompts/next-step.ts';
import { saysNothing } from './prompts/read-answer.ts';
import { hopsOf } from './prompts/blocks.ts';
import {
  checkDraft,
  type CheckedDraft,
  knownAnswers,
  type Critique,
  recordedPassages,
  seenAnswers,
  settleNode,
} from './sub-answers.ts';
import {
  goOnWithout,
  type Operator,
  type OperatorContext,
  type OperatorResult,
  type OperatorTask,
  noticeNodesUsed,
  runAsStep,
  type Step,
  withStep,
} from './operator.ts';
import { shortenDraft } from './shorten-draft.ts';
import { evidenceToRead, readEvidence, retrieve, type Retrieval } from './retrieve.ts';
import { promptWith, READING_CALLS, readWhole } from './read-passages.ts';

const MOST_THOUGHTS = 4;
/** New passages that a retrieval adds, and the most that are read at once, or as many as the trail has. */
const ADDED_PASSAGES = 3;
const MOST_PASSAGES = 6;

/**
 * IRCoT (Trivedi et al. 2023; BELLE's iterative-step): a sentence of reasoning, a retrieval for it, and so on until it
 * arrives.
 */
export const iterativeStep: Operator<'iterative-step'> = {
  name: 'iterative-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'think a sentence, look it up, think on',
    goodFor: 'a trail whose next stop is only known on the way',
  },
  // It may arrive at the first thought. It may also never arrive, is then read as a whole, and steps back once at most.
  cost: {
    leastCalls: 1,
    mostCalls: MOST_THOUGHTS + READING_CALLS,
    critiqueCalls: MOST_THOUGHTS * VERDICT_CALLS + STEP_BACK_CALLS,
    tokens: 1000,
  },
  prompts: nextThoughtPrompt({ question: '', passages: [], known: [], thoughts: [] }),
  run: (context, task) =>
    runAsStep(context, task, 'iterative-step', async (ids) =>
      conclude(context, task, ids, await think(context, task, ids.stepId)),
    ),
};

interface Walk {
  evidence: Passage[];
  retrievals: Retrieval[];
  thoughts: Thought[];
  answer?: string;
}

async function think(context: OperatorContext, task: OperatorTask, parentStepId: string): Promise<Walk> {
  const walk: Walk = { evidence: [], retrievals: [], thoughts: [] };
  try {
    await thinkOn(context, task, walk, parentStepId);
  } catch (error) {
    if (walk.thoughts.length === 0) throw error;
    goOnWithout(context, error); // what was thought so far, and what was looked up, is read as a whole
  }
  return walk;
}

async function thinkOn(context: OperatorContext, task: OperatorTask, walk: Walk, parentStepId: string): Promise<void> {
  let query: string | undefined = task.question;
  let asked: SentPrompt | undefined;
  let dependsOn: string[] = [];
  let steppedBack = false;
  for (let turn = 0; query !== undefined && turn < MOST_THOUGHTS && context.budget.nodesLeft > 0; turn++) {
    const stepId = context.nextStepId();
    const { thought, rejection }: ThoughtOutcome = await thinkOnce(context, task, walk, {
      stepId,
      parentStepId,
      query,
      ...(asked && { asked }),
      dependsOn,
    });
    asked = undefined;
    dependsOn = [stepId];
    if (thought) {
      walk.thoughts.push(thought);
      walk.answer = thought.answer;
      query = thought.answer === undefined ? thought.text : undefined;
    } else {
      const other: OtherQuestion | undefined =
        steppedBack || rejection === undefined
          ? undefined
          : await stepBack(context, { question: query, reason: rejection });
      query = other?.question;
      asked = other?.asked;
      steppedBack = true;
    }
  }
  if (query !== undefined && context.budget.nodesLeft === 0) noticeNodesUsed(context);
}

/** A thought that is kept, or why there is none; neither when the model has nothing to say. */
interface ThoughtOutcome {
  thought?: Thought;
  rejection?: string;
}

interface ThoughtStep {
  stepId: string;
  parentStepId: string;
  query: string;
  /** The call that asked for it, where it is no thought but another sub-question. */
  asked?: SentPrompt;
  dependsOn: string[];
}

/** One node: what was thought last is looked up, and the next sentence is read from what is there. */
async function thinkOnce(
  context: OperatorContext,
  task: OperatorTask,
  walk: Walk,
  { stepId, parentStepId, query, asked, dependsOn }: ThoughtStep,
): Promise<ThoughtOutcome> {
  const ids = { stepId, parentStepId };
  context.budget.addNode();
  return withStep(context, { ...ids, operator: 'iterative-step', question: query, dependsOn }, async () => {
    const retrieval = await retrieve(context, ids, query);
    walk.retrievals.push(retrieval);
    const fresh = evidenceToRead(retrieval, ADDED_PASSAGES).filter(
      (passage) => !walk.evidence.some((known) => known.id === passage.id),
    );
    walk.evidence = withoutOldest([...walk.evidence, ...fresh], hopsOf(walk.retrievals.map(({ chain }) => chain)));
    const history = walk.thoughts.map((thought) => ({ question: task.question, answer: thought.text }));
    const { thought, reply, messages } = await nextThought(context, task, walk);
    const repeated =
      thought !== undefined &&
      thought.answer === undefined &&
      walk.thoughts.some((earlier) => nameForm(earlier.text) === nameForm(thought.text));
    const silent = thought === undefined || saysNothing(thought.answer ?? thought.text, thought.numbers.length > 0);
    const found = !silent && !repeated;
    const checked = found ? checkDraft(context, draftOfThought(thought, walk), walk.evidence) : undefined;
    const passageIds = checked?.passageIds ?? [];
    const subAnswer: SubAnswer = {
      stepId,
      question: query,
      answer: found ? (thought.answer ?? thought.text) : '',
      found,
      ...(found && thought.answer === undefined && { thought: true }),
      passageIds,
    };
    const work = {
      history,
      operator: 'iterative-step' as const,
      passages: recordedPassages(walk.evidence),
      reply,
      sent: { ...(asked && { asked }), read: { messages, reply } },
    };
    const kept = await settleNode(context, ids, subAnswer, work, async () =>
      repeated
        ? { verdict: { verdict: 'redundant', reason: 'The reasoning repeats itself.', by: 'evidence' } }
        : critiqueThought(context, task, walk, { subAnswer, thought, checked }),
    );
    const rejection = found || repeated ? subAnswer.critique?.reason : undefined;
    return {
      outcome: kept ? 'answered' : found || repeated ? 'rejected' : 'nothing-found',
      value: kept ? { thought } : { ...(rejection !== undefined && { rejection }) },
    };
  });
}

/** The latest passages; of what is beyond the most, what is on no trail is let go of, the oldest first. */
function withoutOldest(passages: readonly Passage[], hops: ReadonlySet<string>): Passage[] {
  let over = passages.length - MOST_PASSAGES;
  return passages.filter(({ id }) => hops.has(id) || over-- <= 0);
}

/** What the citation check looks at: the sentence itself, or the answer with the reasons that led to it. */
function draftOfThought(thought: Thought, walk: Walk): AnswerDraft {
  if (thought.answer === undefined) return { short: '', statements: [thought], conflicts: [] };
  return { short: thought.answer, statements: [...walk.thoughts, ...thought.reasons], conflicts: [] };
}

/**
 * A sentence on the way answers no question: what it cites decides whether there is a doubt. The answer at the end
 * answers the question, and the reader's probability is asked as well.
 */
async function critiqueThought(
  context: OperatorContext,
  task: OperatorTask,
  walk: Walk,
  node: { subAnswer: SubAnswer; thought: Thought | undefined; checked: CheckedDraft | undefined },
): Promise<Critique> {
  const { subAnswer, thought, checked } = node;
  const reading = thought?.answer === undefined ? undefined : await readEvidence(context, task.question, walk.evidence);
  return critiqueNode(
    context,
    {
      ...subAnswer,
      passageIds: walk.evidence.map((passage) => passage.id),
      ...(checked && { supported: checked.supported }),
      ...(reading && { answerability: reading.answerability }),
    },
    checked?.quote ?? '',
  );
}

async function nextThought(
  context: OperatorContext,
  task: OperatorTask,
  walk: Walk,
): Promise<{
  thought: Thought | undefined;
  reply: string;
  messages: ChatMessage[];
}> {
  const known = [
    ...knownAnswers(
      context.subAnswers.filter((one) => !walk.thoughts.some((thought) => thought.text === one.answer)),
      context.ledger,
    ),
    ...seenAnswers(task.seen),
  ];
  const thoughts = walk.thoughts.map((thought) => thought.text);
  const messages = promptWith(
    context,
    walk.evidence,
    (passages) => nextThoughtPrompt({ question: task.question, known, thoughts, passages }),
    { replyTokens: NEXT_THOUGHT_TOKENS, hops: hopsOf(walk.retrievals.map(({ chain }) => chain)) },
  );
  const { text } = await askText(context, messages, { maxTokens: NEXT_THOUGHT_TOKENS, stop: ['\n\n'] });
  return { thought: readThought(text), reply: text, messages };
}

/** The reasoning as an answer; when it did not arrive, one reading of everything that was gathered. */
async function conclude(
  context: OperatorContext,
  task: OperatorTask,
  { stepId }: Step,
  walk: Walk,
): Promise<OperatorResult> {
  const hops = new Map(
    walk.retrievals.flatMap((retrieval) => retrieval.chain.hops).map((hop) => [hop.passage.id, hop]),
  );
  const base: OperatorResult = {
    operator: 'iterative-step',
    stepId,
    chain: {
      hops: [...hops.values()],
      score: walk.retrievals[0]?.chain.score ?? 0,
      completeness: walk.retrievals.at(-1)?.chain.completeness ?? 0,
    },
    evidence: walk.evidence,
    reading: await readEvidence(context, task.question, walk.evidence),
  };
  const statements = walk.thoughts.flatMap(({ text, numbers, answer, reasons }) =>
    answer === undefined ? [{ text, numbers }] : reasons,
  );
  if (walk.answer !== undefined) {
    const draft: AnswerDraft = await shortenDraft(context, task.question, {
      short: walk.answer,
      statements,
      conflicts: [],
    });
    if (task.final)
      context.emit({
        type: 'answer-delta',
        text: [draft.short, ...statements.map((statement) => statement.text)].join('\n'),
      });
    return { ...base, draft };
  }
  if (walk.retrievals.length === 0) return base;
  if (walk.evidence.length === 0) return { ...base, reason: 'Nothing was found for this question.' };
  const draft = await readWhole(context, task, base);
  return draft ? { ...base, draft } : { ...base, reason: 'The reasoning did not arrive at an answer.' };
}
