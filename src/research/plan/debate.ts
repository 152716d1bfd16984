import { BadReplyError } from '../language-model/errors.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import type { OperatorName } from '../domain/plan.ts';
import type { DebateTurn } from '../domain/research-event.ts';
import { inlineText } from '../answer/passage-lines.ts';
import { askStructured } from '../run/ask-model.ts';
import type { OperatorContext } from '../operators/operator.ts';
import {
  affirmativePrompt,
  type DebateMatter,
  fastDebaterPrompt,
  judgePrompt,
  judgeSoftPrompt,
  negativePrompt,
  type ReadTurn,
  slowDebaterPrompt,
} from './debate-prompts.ts';
import { judgeReplySchema, PLAN_TOKENS, planReplySchema, type PlanReply } from './plan-steps.ts';

/** A later debater reads this much of a turn. */
const READ_LENGTH = 240;

export interface DebateOutcome {
  plan: OperatorName[];
  reason: string;
  /** `hard`: the judge found that it stands; `soft`: extracted when the rounds ran out. */
  mode: 'hard' | 'soft';
}

type Role = DebateTurn['role'];

/**
 * BELLE's two-level debate (arXiv 2505.11811, §3.3). Each round: affirmative, negative, fast debater (this round only),
 * slow debater (everything), judge. The judge ends it when a plan stands; when the rounds have run out, the plan is
 * extracted from the slow debater's history, or from what is nearest to it when there is none.
 */
export async function debate(context: OperatorContext, matter: DebateMatter): Promise<DebateOutcome | undefined> {
  const { options } = context;
  const history: ReadTurn[] = [];
  const speak = async (round: number, role: Role, messages: ChatMessage[]): Promise<PlanReply | undefined> => {
    const turn = await takeTurn(context, matter, round, role, messages);
    if (turn) history.push({ round, role, text: turn.reason.slice(0, READ_LENGTH), plan: turn.plan });
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
      return { plan: verdict.plan, reason: inlineText(verdict.reason), mode: 'hard' };
  }
  const heard = historyForSoft(history);
  if (heard.length === 0) return undefined; // nobody said anything usable
  const agreed = unanimous(heard);
  // Nothing to extract: a call would only repeat it.
  if (agreed) return { plan: [...agreed.plan], reason: agreed.text, mode: 'soft' };
  const soft = await takeTurn(context, matter, options.rounds, 'judge', judgeSoftPrompt(matter, heard));
  const last = heard.at(-1);
  return soft
    ? { plan: soft.plan, reason: inlineText(soft.reason), mode: 'soft' }
    : last && { plan: [...last.plan], reason: last.text, mode: 'soft' };
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
 * One turn as an event. A debater whose reply cannot be used has said nothing: the debate goes on, and the turn says
 * so.
 */
async function takeTurn(
  context: OperatorContext,
  matter: DebateMatter,
  round: number,
  role: Role,
  messages: ChatMessage[],
): Promise<(PlanReply & { settled?: boolean }) | undefined> {
  const isJudge = role === 'judge';
  try {
    const common = { messages, name: isJudge ? 'judgement' : 'plan', maxTokens: PLAN_TOKENS };
    const {
      value,
      usage,
    }: { value: PlanReply & { settled?: boolean }; usage: { inputTokens: number; outputTokens: number } } = isJudge
      ? await askStructured(context, { ...common, schema: judgeReplySchema(matter.operators) })
      : await askStructured(context, { ...common, schema: planReplySchema(matter.operators) });
    context.emit({
      type: 'debate-turn',
      round,
      role,
      text: inlineText(value.reason),
      plan: value.plan,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
    });
    return value;
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    context.emit({
      type: 'debate-turn',
      round,
      role,
      text: '(gave no usable reply)',
      inputTokens: error.usage.inputTokens,
      outputTokens: error.usage.outputTokens,
    });
    return undefined;
  }
}
