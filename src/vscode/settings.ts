import { type OperatorName, OPERATORS, type ResearchOptions, STRATEGIES, type StrategyName } from '#research';
import { ALL_AGENTS, EQUAL_WEIGHTS, type LossWeights, readLossWeights } from '#learning';
import type { Effort } from './threads/conversations.ts';
import type { EmbedderChoice } from '#search';
import { join } from 'node:path';
import { withoutTrailingSlashes } from '#base';

/**
 * The patterns of `files.exclude` and `search.exclude` that are switched on; those with a `when` clause depend on
 * siblings and are left to the editor.
 */
export function activeGlobs(...settings: unknown[]): string[] {
  const active = settings
    .flatMap((setting) => (typeof setting === 'object' && setting !== null ? Object.entries(setting) : []))
    .filter(([, value]) => value === true)
    .map(([glob]) => glob);
  return [...new Set(active)];
}

/**
 * The editor's patterns that are on in any of these roots. One index has one list for all roots, so that a folder's own
 * settings leave files out of the others, too: rather too little is read than what somebody has hidden.
 *
 * @param read The setting as it holds in a root.
 */
export function editorGlobs<Root>(
  roots: readonly Root[],
  read: (section: 'files' | 'search', root: Root) => unknown,
): string[] {
  return activeGlobs(...roots.flatMap((root) => [read('files', root), read('search', root)]));
}

/** Effort of a run of its own kind: an answer in place, while somebody waits for it. */
export type RunEffort = Effort | 'quick';

/**
 * The settings' options for a run of this effort. A harder run overrules what they say of the strategy, and so does a
 * quick one, save where they fix a way that calls no language model: that is quick enough, and whoever fixed it wants
 * nothing sent. The type of a question is then told without a call, too, and for a quick run in any case.
 */
export function optionsForEffort(research: Partial<ResearchOptions>, effort: RunEffort): Partial<ResearchOptions> {
  switch (effort) {
    case 'usual':
      return callsNoModel(research) ? { ...research, classifier: 'embedded' } : research;
    case 'harder':
      return { ...research, strategy: 'thorough', effort: 'harder', debate: 'full', operator: undefined };
    case 'debate':
      return { ...research, strategy: 'thorough', debate: 'full', operator: undefined };
    case 'quotes':
      return { ...research, operator: 'extractive', classifier: 'embedded' };
    case 'quick': {
      const quick = { ...research, debate: 'off', classifier: 'embedded' } as const;
      return callsNoModel(research) ? quick : { ...quick, strategy: 'fast', operator: undefined };
    }
  }
}

const callsNoModel = ({ operator }: Partial<ResearchOptions>): boolean => operator === 'extractive';

/** Everything under `hoptrail.` in the settings, checked. */
export interface Settings {
  index: {
    /** '' means VS Code's storage folder. */
    uri: string;
    /**
     * `always`: when a folder is opened; `idle`: likewise, vectors while the machine has time; `manual`: when something
     * is asked.
     */
    when: 'always' | 'idle' | 'manual';
    exclude: string[];
    useGitignore: boolean;
    maxFileBytes: number;
  };
  embedder: EmbedderChoice;
  research: Partial<ResearchOptions>;
  model: ModelSettings;
  /** What each kind of example weighs in a round of fine-tuning. */
  loss: LossWeights;
}

export interface ModelSettings {
  /** A name of `model-providers.ts`; `none` where there is no such. */
  provider: string;
  /** `vendor/id` of the editor's model. */
  editorModel: string;
  baseUrl: string;
  name: string;
  /** What the endpoint's model takes; undefined: the server is asked. */
  contextTokens?: number;
  price?: { input: number; output: number; currency: string };
}

const INDEXING = ['always', 'idle', 'manual'] as const;

/** Reads one setting below `hoptrail.`; undefined when it is not there. */
type ReadSetting = (key: string) => unknown;

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];

function within(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : undefined;
}

function oneOf<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** Settings are data from outside: what is of the wrong type or out of range falls back to the default. */
export function readSettings(read: ReadSetting, defaults: ResearchOptions): Settings {
  return {
    index: {
      uri: text(read('index.uri')),
      when: oneOf(read('indexing'), INDEXING) ?? 'always',
      exclude: texts(read('index.exclude')),
      useGitignore: flag(read('index.useGitignore'), true),
      maxFileBytes: Math.round((within(read('index.maxFileSize'), 0.01, 200) ?? 5) * 1024 * 1024),
    },
    embedder: embedderFrom(read),
    research: researchFrom(read, defaults),
    model: modelFrom(read),
    loss: readLossWeights(text(read('research.loss'))) ?? EQUAL_WEIGHTS,
  };
}

function embedderFrom(read: ReadSetting): EmbedderChoice {
  const kind = oneOf(read('embedder.kind'), ['bundled', 'folder', 'endpoint']);
  const folder = text(read('embedder.folder'));
  const baseUrl = text(read('embedder.baseUrl'));
  const model = text(read('embedder.model'));
  if (kind === 'folder' && folder !== '') return { kind: 'folder', path: folder };
  if (kind === 'endpoint' && baseUrl !== '' && model !== '') return { kind: 'endpoint', baseUrl, model };
  return { kind: 'bundled' };
}

/** The name of an agent or `belle` fixes it; `graph` fixes the strategy that `research.graph` describes. */
function strategyFrom(read: ReadSetting): StrategyName | undefined {
  const name = read('strategy');
  const fixed = oneOf(name, [...ALL_AGENTS, 'belle']);
  if (fixed) return `fixed:${fixed}`;
  const graph = text(read('research.graph'));
  if (name === 'graph') return graph === '' ? undefined : `fixed:${graph}`;
  return oneOf(name, STRATEGIES);
}

/** Who takes part on the second level of a debate. */
const DEBATERS = {
  both: { fastDebater: true, slowDebater: true },
  slow: { fastDebater: false, slowDebater: true },
  fast: { fastDebater: true, slowDebater: false },
  none: { fastDebater: false, slowDebater: false },
} as const;

function debateFrom(read: ReadSetting, defaults: ResearchOptions): Partial<ResearchOptions> {
  const { fastDebater, slowDebater } = defaults;
  const debaters = oneOf(read('research.debaters'), ['both', 'slow', 'fast', 'none']);
  const rounds = Math.round(within(read('research.rounds'), 1, 3) ?? defaults.rounds);
  return {
    debate: oneOf(read('research.debate'), ['off', 'fast', 'full']) ?? defaults.debate,
    ...(debaters ? DEBATERS[debaters] : { fastDebater, slowDebater }),
    rounds: rounds as ResearchOptions['rounds'],
    strength: oneOf(read('research.strength'), ['L0', 'L1', 'L2', 'L3']) ?? defaults.strength,
    judge: oneOf(read('research.judge'), ['both', 'hard', 'soft']) ?? defaults.judge,
  };
}

/** Those that are named; the default where none is that there is. */
function operatorsFrom(read: ReadSetting, defaults: ResearchOptions): readonly OperatorName[] {
  const named = new Set(texts(read('research.operators')).flatMap((name) => oneOf(name, OPERATORS) ?? []));
  return named.size > 0 ? [...named] : defaults.operators;
}

function researchFrom(read: ReadSetting, defaults: ResearchOptions): Partial<ResearchOptions> {
  // Settings of 0.3 and before called quotes without a model so; what was never sent must stay here.
  const quotes = read('strategy') === 'beam-extractive' ? 'extractive' : undefined;
  const operator = oneOf(read('research.operator'), OPERATORS) ?? quotes;
  return {
    strategy: strategyFrom(read) ?? defaults.strategy,
    ...(operator ? { operator } : {}),
    ...debateFrom(read, defaults),
    operators: operatorsFrom(read, defaults),
    types: flag(read('research.types'), defaults.types),
    classifier: oneOf(read('research.classifier'), ['embedded', 'examples', 'zero-shot']) ?? defaults.classifier,
    critique: flag(read('research.critique'), defaults.critique),
    record: flag(read('research.learn'), defaults.record),
    beam: Math.round(within(read('research.beam'), 1, 8) ?? defaults.beam),
    maxHops: Math.round(within(read('research.maxHops'), 1, 10) ?? defaults.maxHops),
    stop: oneOf(read('research.stop'), ['model', 'threshold']) ?? defaults.stop,
    threshold: within(read('research.threshold'), -20, 20) ?? defaults.threshold,
    budget: {
      calls: Math.round(within(read('budget.calls'), 1, 500) ?? defaults.budget.calls),
      tokens: Math.round(within(read('budget.tokens'), 1000, 5_000_000) ?? defaults.budget.tokens),
      seconds: within(read('budget.seconds'), 1, 3600) ?? defaults.budget.seconds,
      nodes: Math.round(within(read('budget.nodes'), 1, 100) ?? defaults.budget.nodes),
    },
  };
}

function modelFrom(read: ReadSetting): ModelSettings {
  const input = within(read('model.inputPrice'), 0, 10_000);
  const output = within(read('model.outputPrice'), 0, 10_000);
  const contextTokens = Math.round(within(read('model.contextTokens'), 0, 10_000_000) ?? 0);
  const currency = /^[A-Z]{3}$/.exec(text(read('model.currency')))?.[0] ?? 'USD';
  return {
    provider: text(read('model.provider')) || 'none',
    editorModel: text(read('model.editorModel')),
    baseUrl: text(read('model.baseUrl')),
    name: text(read('model.name')),
    ...(contextTokens > 0 ? { contextTokens } : {}),
    ...((input ?? 0) + (output ?? 0) > 0 ? { price: { input: input ?? 0, output: output ?? 0, currency } } : {}),
  };
}

/**
 * Where the index of one workspace lies in a place that all workspaces of this user share: a folder of its own, below
 * an address as well. A database of LanceDB Cloud has no folders; there it is the tables whose names begin with the
 * workspace's (see createIndexLayout).
 */
export function workspaceIndexUri(shared: string, workspace: string): string {
  if (!shared.includes('://')) return join(shared, workspace);
  if (shared.startsWith('db://')) return `${shared}#${workspace}`;
  const [address = '', options] = shared.split(/(?=\?)/, 2);
  return `${withoutTrailingSlashes(address)}/${workspace}${options ?? ''}`;
}
