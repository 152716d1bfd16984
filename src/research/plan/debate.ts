import { cutTo } from '#base';
import type { QuestionType } from '#search';
import { BadReplyError } from '../language-model/errors.ts';
import type { ChatMessage, TokenUsage } from '../language-model/language-model.ts';
import type { OperatorName, Plan } from '../domain/plan.ts';
import type { DebateTurn } from '../domain/research-event.ts';
import { inlineText } from '../answer/passage-lines.ts';
import { askStructured } from '../context/ask-model.ts';
import type { OperatorContext, Operators } from '../operators/operator.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import { judgeReplySchema, PLAN_TOKENS, planReplySchema, type PlanReply, operatorGuide } from './plan-steps.ts';

/** What every debater knows. */
export interface DebateMatter {
  question: string;
  /** undefined: nobody has told it. */
  type: QuestionType | undefined;
  operators: readonly OperatorName[];
  /** What they are; undefined: those that Hoptrail has. */
  among?: Operators;
}

/** A turn as later debaters read it. */
interface ReadTurn {
  round: number;
  role: string;
  text: string;
  plan: readonly OperatorName[];
}

/** The beginning that all debate prompts share word for word, so that a server with a prefix cache reads it once. */
const debateSystem = (matter: DebateMatter): string =>
  `You help to plan how a question is answered from files. A plan is one to three of these operators, run in ` +
  `order; every call costs time and money:\n${operatorGuide(matter.operators, matter.among)}`;

/** The turns as they were spoken. */
const spokenTurns = (turns: readonly ReadTurn[]): string =>
  turns.map((turn) => `${turn.role} (round ${turn.round}): ${turn.text} Plan: ${turn.plan.join(', ')}`).join('\n');

/** One debate prompt: the matter, what was said, the task last. */
const debateMessages = (matter: DebateMatter, turns: readonly ReadTurn[], task: string): ChatMessage[] => [
  { role: 'system', content: debateSystem(matter) },
  {
    role: 'user',
    content: [
      `Question${matter.type ? ` (${matter.type})` : ''}: ${matter.question}`,
      turns.length > 0 ? `Said so far:\n${spokenTurns(turns)}` : '',
      task,
    ]
      .filter(Boolean)
      .join('\n\n'),
  },
];

/** How a turn's JSON is asked for. */
const PLAN_FORM = 'Reply with JSON: {"reason": "<at most 25 words>", "plan": ["<operator>", ...]}';

/** Level 1, for: proposes a plan, and later defends or betters it (BELLE, arXiv 2505.11811, §3.3). */
export const affirmativePrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(
    matter,
    turns,
    [
      'You speak for a plan.',
      turns.length === 0
        ? 'Propose the cheapest plan that will find the answer.'
        : 'Answer the objections: keep your plan if they do not convince you, else better it.',
      PLAN_FORM,
    ].join(' '),
  );

/** Level 2, fast: judges the current round only (BELLE, arXiv 2505.11811, §3.3). `turns` are this round's. */
export const fastDebaterPrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(
    matter,
    turns,
    `You listen to this round only. Say which argument is better, and the plan that follows from it. ${PLAN_FORM}`,
  );

/** A plan in one call: the debate's cheap stand-in. */
export const fastPlanPrompt = (matter: DebateMatter): ChatMessage[] =>
  debateMessages(matter, [], `Choose the cheapest plan that will find the answer. ${PLAN_FORM}`);

const FORM = 'Reply with JSON: {"reason": "<at most 25 words>", "plan": ["<operator>", ...], "settled": true or false}';

/** The judge after a round, hard mode: ends the debate when a plan stands (BELLE, arXiv 2505.11811, §3.3). */
export const judgePrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(
    matter,
    turns,
    `You are the judge. Is there a plan that most speakers now agree on and that will find the answer? Then it ` +
      `is settled. ${FORM}`,
  );

/**
 * The judge when the rounds have run out, soft mode: extracts the plan from what one debater (the slow one) has said
 * over time.
 */
export const judgeSoftPrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(
    matter,
    turns,
    `You are the judge and the debate is over. Take from these turns the plan that they lead to. It is ` +
      `settled. ${FORM}`,
  );

/**
 * How hard the negative debater opposes, weakest first (BELLE's "tit for tat" levels, arXiv 2505.11811, §4; the wording
 * is ours).
 */
const OPPOSITION: Readonly<Record<ResearchOptions['strength'], string>> = {
  L0: 'Look for a real mistake in the proposed plan. If there is none, agree and repeat it.',
  L1: 'Name the weakest point of the proposed plan. Propose another only if that point would cost the answer.',
  L2:
    'Argue against the proposed plan: say what it would miss or waste, and propose the plan that you would ' +
    'rather see.',
  L3: 'Oppose the proposed plan in every respect, whatever its merits, and propose a different one.',
};

/** Level 1, against. */
export const negativePrompt = (
  matter: DebateMatter,
  turns: readonly ReadTurn[],
  strength: ResearchOptions['strength'],
): ChatMessage[] => debateMessages(matter, turns, `You speak against it. ${OPPOSITION[strength]} ${PLAN_FORM}`);

/**
 * Level 2, slow: weighs the whole history, so that the plan does not swing back and forth (BELLE, arXiv 2505.11811,
 * §3.3).
 */
export const slowDebaterPrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(
    matter,
    turns,
    `You weigh everything that was said, all rounds. Change the plan that you favoured before only for a new ` +
      `and good argument. Say the plan that is best overall. ${PLAN_FORM}`,
  );

/** A later debater reads this much of a turn. */
const READ_LENGTH = 240;

/** A plan as somebody proposes it. */
export interface Proposal extends Pick<Plan, 'origin' | 'reason'> {
  plan: OperatorName[];
}

type Role = DebateTurn['role'];

/**
 * BELLE's two-level debate (arXiv 2505.11811, §3.3). Each round: affirmative, negative, fast debater (this round only),
 * slow debater (everything), judge. The judge ends it when a plan stands; when the rounds have run out, the plan is
 * extracted from the slow debater's history, or from what is nearest to it when there is none.
 */
export async function debate(context: OperatorContext, matter: DebateMatter): Promise<Proposal | undefined> {
  const { options } = context;
  const history: ReadTurn[] = [];
  const speak = async (round: number, role: Role, messages: ChatMessage[]): Promise<PlanReply | undefined> => {
    const turn = await takeTurn(context, matter, round, role, messages);
    if (turn) history.push({ round, role, text: cutTo(turn.reason, READ_LENGTH), plan: turn.plan });
    return turn;
  };
  for (let round = 1; round <= options.rounds; round++) {
    await speak(round, 'affirmative', affirmativePrompt(matter, history));
    await speak(round, 'negative', negativePrompt(matter, history, options.strength));
    if (options.fastDebater)
      await speak(
        round,
        'fast',
        fastDebaterPrompt(
          matter,
          history.filter((turn) => turn.round === round),
        ),
      );
    if (options.slowDebater) await speak(round, 'slow', slowDebaterPrompt(matter, history));
    if (options.judge === 'soft') continue;
    const verdict = await takeTurn(
      context,
      matter,
      round,
      'judge',
      judgePrompt(
        matter,
        history.filter((turn) => turn.round === round),
      ),
    );
    const isLast = options.judge === 'hard' && round === options.rounds;
    if (verdict?.settled || (verdict && isLast))
      return { plan: verdict.plan, reason: inlineText(verdict.reason), origin: 'debate-hard' };
  }
  const heard = historyForSoft(history);
  if (heard.length === 0) return undefined; // nobody said anything usable
  const agreed = unanimous(heard);
  // Nothing to extract: a call would only repeat it.
  if (agreed) return { plan: [...agreed.plan], reason: agreed.text, origin: 'debate-soft' };
  const soft = await takeTurn(context, matter, options.rounds, 'judge', judgeSoftPrompt(matter, heard));
  const last = heard.at(-1);
  return soft
    ? { plan: soft.plan, reason: inlineText(soft.reason), origin: 'debate-soft' }
    : last && { plan: [...last.plan], reason: last.text, origin: 'debate-soft' };
}

/** The slow debater's turns; without them the fast one's; without those the affirmative's. */
function historyForSoft(history: readonly ReadTurn[]): ReadTurn[] {
  for (const role of ['slow', 'fast', 'affirmative', 'negative']) {
    const turns = history.filter((turn) => turn.role === role);
    if (turns.length > 0) return turns;
  }
  return [];
}

function unanimous(turns: readonly ReadTurn[]): ReadTurn | undefined {
  const last = turns.at(-1);
  return last && turns.every((turn) => turn.plan.join() === last.plan.join()) ? last : undefined;
}

/**
 * One turn as an event, be it of a debate or all there is. A debater whose reply cannot be used has said nothing: the
 * debate goes on, and the turn says so.
 */
export async function takeTurn(
  context: OperatorContext,
  matter: DebateMatter,
  round: number,
  role: Role,
  messages: ChatMessage[],
): Promise<(PlanReply & { settled?: boolean }) | undefined> {
  const isJudge = role === 'judge';
  const tell = (said: { text: string; plan?: OperatorName[] }, { inputTokens, outputTokens }: TokenUsage): void =>
    context.emit({ type: 'debate-turn', round, role, ...said, inputTokens, outputTokens });
  try {
    const { value, usage } = await askStructured<PlanReply & { settled?: boolean }>(context, {
      messages,
      name: isJudge ? 'judgement' : 'plan',
      maxTokens: PLAN_TOKENS,
      schema: isJudge ? judgeReplySchema(matter.operators) : planReplySchema(matter.operators),
    });
    tell({ text: inlineText(value.reason), plan: value.plan }, usage);
    return value;
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    tell({ text: '(gave no usable reply)' }, error.usage);
    return undefined;
  }
}
