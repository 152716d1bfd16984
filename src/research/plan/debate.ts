import { askStructured } from '../context/ask-model.ts';
import type { SentPrompt } from '../context/node-record.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import type { OperatorName, Plan } from '../domain/plan.ts';
import type { DebateTurn } from '../domain/research-event.ts';
import { BadReplyError } from '../language-model/errors.ts';
import type { TokenUsage } from '../language-model/language-model.ts';
import type { OperatorContext } from '../operators/operator.ts';
import {
  planForm,
  type PlanMatter,
  planMessages,
  type PlanReply,
  planReplySchema,
  readPlanReply,
  type Speaker,
  toldReason,
} from './plan-form.ts';

const PLAN_TOKENS = 700;

type Role = DebateTurn['role'];

interface Turn {
  round: number;
  role: Role;
  reply: PlanReply;
  /** Of a judge. */
  settled?: boolean | undefined;
  sent?: SentPrompt | undefined;
}

/** A plan as somebody proposes it, with the call that it was made by. */
export type Proposal = Pick<Turn, 'reply' | 'sent'> & Pick<Plan, 'origin'>;

/** How hard the negative debater opposes, weakest first ("tit for tat", BELLE §4; the wording is ours). */
const OPPOSITION: Readonly<Record<ResearchOptions['strength'], string>> = {
  L0: 'Look for a real mistake in the proposed plan. If there is none, agree.',
  L1: 'Name the weakest point of the proposed plan. Propose another only if that point would cost the answer.',
  L2: 'Say what the proposed plan would miss, and propose the plan that you would rather see. Agree where it misses nothing.',
  L3: 'Oppose the proposed plan in every respect, whatever its merits, and propose a different one.',
};

const TASKS = {
  propose: 'You speak for a plan. Propose the plan that will find the whole answer.',
  defend: 'You speak for your plan. Answer the objections: keep it if they do not convince you, else better it.',
  fast: 'You listen to this round only. Say which argument is better, and the plan that follows from it.',
  slow:
    'You weigh everything that was said in all rounds. Change the plan that you favoured before only for a new and good ' +
    'argument. Say the plan that is best overall.',
  judge:
    'You are the judge. "settled": true where a plan stands on which most speakers now agree and which will find the ' +
    'answer.',
  soft: 'You are the judge, and the debate is over. Take from these turns the plan that they lead to.',
};

/** One call that plans: types, operators, sub-questions and queries at once. */
export async function planInOneCall(context: OperatorContext, matter: PlanMatter): Promise<Proposal | undefined> {
  const turn = await takeTurn(context, matter, [1, 'fast', 'planner'], []);
  return turn && { reply: turn.reply, origin: 'fast', sent: turn.sent };
}

/**
 * BELLE's debate on two levels (arXiv 2505.11811, §3.3). Each round: affirmative, negative, fast debater (this round
 * only), slow debater (everything), judge. The judge ends it when a plan stands (hard mode); when the rounds have run
 * out, the plan is taken from the slow debater's history, or from what is nearest to it (soft mode). All have seen the
 * same titles.
 */
export async function debate(context: OperatorContext, matter: PlanMatter): Promise<Proposal | undefined> {
  const { options } = context;
  const history: Turn[] = [];
  const speak = async (round: number, role: Role, heard: readonly Turn[], task: string): Promise<Turn | undefined> => {
    const said = heard.length > 0 ? `Said so far:\n${heard.map(spoken).join('\n')}` : '';
    const speaker =
      role === 'judge' ? (task === TASKS.judge ? 'judge' : 'planner') : heard.length > 0 ? 'debater' : 'planner';
    const turn = await takeTurn(context, matter, [round, role, speaker], [said, task], heard.at(-1)?.reply);
    if (turn && role !== 'judge') history.push(turn);
    return turn;
  };
  const ofRound = (round: number): Turn[] => history.filter((turn) => turn.round === round);
  for (let round = 1; round <= options.rounds; round++) {
    await speak(round, 'affirmative', history, history.length === 0 ? TASKS.propose : TASKS.defend);
    await speak(round, 'negative', history, `You speak against it. ${OPPOSITION[options.strength]}`);
    if (options.fastDebater) await speak(round, 'fast', ofRound(round), TASKS.fast);
    if (options.slowDebater) await speak(round, 'slow', history, TASKS.slow);
    if (options.judge === 'soft') continue;
    const verdict = await speak(round, 'judge', ofRound(round), TASKS.judge);
    const isLast = options.judge === 'hard' && round === options.rounds;
    if (verdict && (verdict.settled || isLast)) return proposal(verdict, history, 'debate-hard');
  }
  const heard = ['slow', 'fast', 'affirmative', 'negative']
    .map((role) => history.filter((turn) => turn.role === role))
    .find((turns) => turns.length > 0);
  const last = heard?.at(-1);
  if (!heard || !last) return undefined; // nobody said anything usable
  // Where they all say the same, there is nothing to extract.
  const agree = heard.every(({ reply }) => reply.plan.join() === last.reply.plan.join());
  const soft = agree ? undefined : await speak(options.rounds, 'judge', heard, TASKS.soft);
  return proposal(soft ?? last, history, 'debate-soft');
}

/** A turn as a proposal; queries and sub-questions that it does not repeat are those of the last who wrote any. */
function proposal({ reply, sent }: Turn, history: readonly Turn[], origin: Plan['origin']): Proposal {
  const lastWith = (key: 'queries' | 'subQuestions'): string[] =>
    history.findLast((turn) => turn.reply[key].length > 0)?.reply[key] ?? [];
  const queries = reply.queries.length > 0 ? reply.queries : lastWith('queries');
  const subQuestions = reply.subQuestions.length > 0 ? reply.subQuestions : lastWith('subQuestions');
  return { reply: { ...reply, queries, subQuestions }, origin, sent };
}

const spoken = ({ role, round, reply }: Turn): string =>
  `${role} (round ${round}): ${toldReason(reply.reason)} Plan: ${reply.plan.join(', ')}`;

/** One turn as an event; undefined: the reply cannot be used, and the debate goes on. `last` is the turn heard last. */
async function takeTurn(
  context: OperatorContext,
  matter: PlanMatter,
  [round, role, speaker]: [round: number, role: Role, speaker: Speaker],
  parts: readonly string[],
  last?: PlanReply,
): Promise<Turn | undefined> {
  const tell = (said: { text: string; plan?: OperatorName[] }, { inputTokens, outputTokens }: TokenUsage): void =>
    context.emit({ type: 'debate-turn', round, role, ...said, inputTokens, outputTokens });
  try {
    const { value, usage, sent } = await askStructured(context, {
      messages: planMessages(matter, [...parts, planForm(speaker)]),
      name: role === 'judge' ? 'judgement' : 'plan',
      maxTokens: PLAN_TOKENS,
      schema: planReplySchema(matter.operators, speaker),
    });
    const reply = readPlanReply(value, last);
    tell({ text: toldReason(reply.reason), plan: reply.plan }, usage);
    return { round, role, reply, settled: value.settled, sent };
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    tell({ text: '(gave no usable reply)' }, error.usage);
    return undefined;
  }
}
