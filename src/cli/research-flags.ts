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
import { type AgentName, ALL_AGENTS, type LossWeights, parseGraphName, readLossWeights } from '#learning';
import { UsageError } from './exit.ts';
import { requireEndpoint } from './open-engine.ts';

/** Flags that switch the four methods, shared by ask, chat and eval. */
export interface ResearchFlags {
  strategy?: StrategyName;
  operator?: OperatorName;
  debate?: 'off' | 'fast' | 'full';
  fast?: boolean;
  slow?: boolean;
  strength?: ResearchOptions['strength'];
  judge?: ResearchOptions['judge'];
  types?: boolean;
  rounds?: number;
  classifier?: ResearchOptions['classifier'];
  operators?: string;
  critique?: 'on' | 'off';
  beam?: number;
  maxHops?: number;
  stop?: ResearchOptions['stop'];
  threshold?: number;
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
    .option('--rounds <n>', 'debate rounds, 1 to 3', debateRounds)
    .addOption(new Option('--classifier <name>', 'question classifier').choices(['embedded', 'examples', 'zero-shot']))
    .option('--operators <list>', 'operators a plan may use, separated by commas')
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

function debateRounds(value: string): number {
  const rounds = positiveInteger(value);
  if (rounds > 3) throw new InvalidArgumentError('A debate has at most 3 rounds.');
  return rounds;
}

export function agentList(value: string): AgentName[] {
  return value.split(',').map((name) => {
    const agent = ALL_AGENTS.find((one) => one === name.trim());
    if (!agent) throw new InvalidArgumentError(`"${name}" is not one of ${ALL_AGENTS.join(', ')}.`);
    return agent;
  });
}

export function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError(`"${value}" is not a whole number above 0.`);
  return number;
}

/** A share above 0 and below 1. */
export function share(value: string): number {
  const part = number(value);
  if (part <= 0 || part >= 1) throw new InvalidArgumentError('It must lie between 0 and 1.');
  return part;
}

/** Most hits that can be asked for. The index process refuses more. */
const MOST_HITS = 1000;

export function limitOfHits(value: string): number {
  const limit = positiveInteger(value);
  if (limit > MOST_HITS) throw new InvalidArgumentError(`At most ${MOST_HITS}.`);
  return limit;
}

export function nonNegativeInteger(value: string): number {
  const parsed = number(value);
  if (!Number.isInteger(parsed) || parsed < 0) throw new InvalidArgumentError(`"${value}" is not a whole number.`);
  return parsed;
}

export function nonNegativeNumber(value: string): number {
  const parsed = number(value);
  if (parsed < 0) throw new InvalidArgumentError(`"${value}" is not a number from 0.`);
  return parsed;
}

/** α,β,γ: three weights that are not all nothing. */
export function lossWeights(value: string): LossWeights {
  const weights = readLossWeights(value);
  if (!weights) throw new InvalidArgumentError(`"${value}" is not three weights from 0 to 10, as in 1,1,0.5.`);
  return weights;
}

export function number(value: string): number {
  const parsed = value.trim() === '' ? NaN : Number(value);
  if (!Number.isFinite(parsed)) throw new InvalidArgumentError(`"${value}" is not a number.`);
  return parsed;
}

export function researchOptions(flags: ResearchFlags): Partial<ResearchOptions> {
  const base = defaultResearchOptions.budget;
  const options: Partial<ResearchOptions> = {
    budget: {
      ...base,
      calls: flags.maxCalls ?? base.calls,
      tokens: flags.maxTokens ?? base.tokens,
      seconds: flags.maxSeconds ?? base.seconds,
      nodes: flags.maxNodes ?? base.nodes,
    },
  };
  if (flags.strategy !== undefined) options.strategy = flags.strategy;
  if (flags.operator !== undefined) options.operator = flags.operator;
  if (flags.debate !== undefined) options.debate = flags.debate;
  if (flags.fast === false) options.fastDebater = false;
  if (flags.slow === false) options.slowDebater = false;
  if (flags.strength !== undefined) options.strength = flags.strength;
  if (flags.judge !== undefined) options.judge = flags.judge;
  if (flags.types === false) options.types = false;
  if (flags.rounds !== undefined) options.rounds = flags.rounds as 1 | 2 | 3;
  if (flags.classifier !== undefined) options.classifier = flags.classifier;
  if (flags.critique !== undefined) options.critique = flags.critique === 'on';
  if (flags.beam !== undefined) options.beam = flags.beam;
  if (flags.maxHops !== undefined) options.maxHops = flags.maxHops;
  if (flags.stop !== undefined) options.stop = flags.stop;
  if (flags.threshold !== undefined) options.threshold = flags.threshold;
  if (flags.operators !== undefined) options.operators = parseOperators(flags.operators);
  return options;
}

/** A strategy by its name; a fixed one is an operator, `belle`, or a graph such as `no-retrieval>vote,ircot>vote`. */
function strategyName(value: string): StrategyName {
  const fixed = value.startsWith('fixed:') ? value.slice('fixed:'.length) : undefined;
  const known =
    fixed === undefined
      ? (STRATEGIES as readonly string[]).includes(value)
      : isOperator(fixed) || parseGraphName(fixed) !== undefined;
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

/** Adds the options that name a language model and its endpoint. */
export const withEndpoint = (made: Command): Command =>
  made
    .option('--base-url <url>', 'OpenAI-compatible endpoint (or HOPTRAIL_BASE_URL); key in HOPTRAIL_API_KEY')
    .option('--model <name>', 'model name at that endpoint, which must be named, too (or HOPTRAIL_MODEL)')
    .option('--context-tokens <n>', 'what the model takes; the server is asked otherwise', positiveInteger)
    .hook('preAction', (_, command) => requireEndpoint(command.opts()));

/** Adds the options of a language model and those of the four methods. */
export const withModel = (made: Command): Command => addResearchFlags(withEndpoint(made));
