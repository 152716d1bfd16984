import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  defaultResearchOptions,
  isOperator,
  type OperatorName,
  OPERATORS,
  type ResearchOptions,
  STRATEGIES,
  type StrategyName,
} from '#research';
import { type LossWeights, parseGraphName, readLossWeights } from '#learning';
import { UsageError } from './exit.ts';
import { withEndpoint } from './model-endpoint.ts';
import { atMost, number, positiveInteger } from './numbers.ts';

/** Flags that are options of the same name. */
const SAME = 'strategy operator debate strength judge classifier beam maxHops stop threshold';
type Same =
  'strategy' | 'operator' | 'debate' | 'strength' | 'judge' | 'classifier' | 'beam' | 'maxHops' | 'stop' | 'threshold';

/** Flags of the four methods, shared by ask, chat, mcp and eval. */
export interface ResearchFlags extends Partial<Pick<ResearchOptions, Same>> {
  fast?: boolean;
  slow?: boolean;
  types?: boolean;
  rounds?: number;
  operators?: string;
  critique?: 'on' | 'off';
  maxCalls?: number;
  maxTokens?: number;
  maxSeconds?: number;
  maxNodes?: number;
}

export function addResearchFlags(command: Command): Command {
  return command
    .option('--strategy <name>', 'auto, fast, balanced, thorough, or fixed:<strategy>', strategyName)
    .addOption(new Option('--operator <name>', 'run this operator alone').choices(OPERATORS))
    .addOption(new Option('--debate <mode>', 'how the plan is made').choices(['off', 'fast', 'full']))
    .option('--no-fast', 'debate without the fast debater')
    .option('--no-slow', 'debate without the slow debater')
    .addOption(new Option('--strength <level>', 'strength of the opposition').choices(['L0', 'L1', 'L2', 'L3']))
    .addOption(new Option('--judge <mode>', 'what may end the debate').choices(['both', 'hard', 'soft']))
    .option('--no-types', 'plan every question alike, whatever its type')
    .option('--rounds <n>', 'debate rounds, 1 to 3', atMost(3))
    .addOption(new Option('--classifier <name>', 'question classifier').choices(['embedded', 'examples', 'zero-shot']))
    .option('--operators <list>', 'operators that a plan may use, separated by commas')
    .addOption(new Option('--critique <on|off>', 'critique after each step').choices(['on', 'off']))
    .option('--beam <n>', 'chains kept per hop', positiveInteger)
    .option('--max-hops <n>', 'most hops of a chain', positiveInteger)
    .addOption(new Option('--stop <how>', 'what ends a chain').choices(['model', 'threshold']))
    .option('--threshold <logit>', 'τ of the paper, with --stop threshold', number)
    .option('--max-calls <n>', 'budget: language-model calls', positiveInteger)
    .option('--max-tokens <n>', 'budget: tokens', positiveInteger)
    .option('--max-seconds <n>', 'budget: seconds', positiveInteger)
    .option('--max-nodes <n>', 'budget: steps, kept or not', positiveInteger);
}

export function researchOptions(flags: ResearchFlags): Partial<ResearchOptions> {
  const base = defaultResearchOptions.budget;
  const named = SAME.split(' ').map((name) => [name, flags[name as Same]] as const);
  return {
    budget: {
      ...base,
      calls: flags.maxCalls ?? base.calls,
      tokens: flags.maxTokens ?? base.tokens,
      seconds: flags.maxSeconds ?? base.seconds,
      nodes: flags.maxNodes ?? base.nodes,
    },
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    ...(flags.types === false && { types: false }),
    ...(flags.fast === false && { fastDebater: false }),
    ...(flags.slow === false && { slowDebater: false }),
    ...(flags.rounds !== undefined && { rounds: flags.rounds as 1 | 2 | 3 }),
    ...(flags.critique !== undefined && { critique: flags.critique === 'on' }),
    ...(flags.operators !== undefined && { operators: parseOperators(flags.operators) }),
  };
}

/** A strategy; a fixed one is an operator, `belle`, or a graph such as `no-retrieval>vote,ircot>vote`. */
function strategyName(value: string): StrategyName {
  const fixed = value.startsWith('fixed:') ? value.slice('fixed:'.length) : undefined;
  const known =
    fixed === undefined
      ? (STRATEGIES as readonly string[]).includes(value)
      : fixed === 'belle' || isOperator(fixed) || parseGraphName(fixed) !== undefined;
  if (!known)
    throw new InvalidArgumentError(
      `Known: ${STRATEGIES.join(', ')}, fixed:<one of ${OPERATORS.join(', ')}, belle, one-retrieval, ircot, or ` +
        `a graph such as no-retrieval>vote,ircot>vote>.`,
    );
  return value as StrategyName;
}

function parseOperators(list: string): OperatorName[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.filter((name) => !isOperator(name));
  if (unknown.length > 0 || names.length === 0)
    throw new UsageError(`Unknown operator ${unknown.join(', ') || '""'}. Known: ${OPERATORS.join(', ')}.`);
  return names.filter(isOperator);
}

/** α,β,γ: three weights, not all zero. */
export function lossWeights(value: string): LossWeights {
  const weights = readLossWeights(value);
  if (!weights) throw new InvalidArgumentError(`"${value}" is not three weights from 0 to 10, as in 1,1,0.5.`);
  return weights;
}

/** Adds the options of a language model and those of the four methods. */
export const withModel = (made: Command): Command => addResearchFlags(withEndpoint(made));
