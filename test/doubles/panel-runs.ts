import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Answer } from '../../src/research/domain/answer.ts';
import type { Hop, HopReason, PassageChain, SearchHit } from '../../src/search/domain/passage-chain.ts';
import type { Passage, PassageKind } from '../../src/search/domain/passage.ts';
import type { ResearchEvent, UnstampedEvent } from '../../src/research/domain/research-event.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

/** A passage of an example workspace, read from its file: `notes/systems/mast-power.md`. */
export function examplePassage(
  file: string,
  startLine: number,
  endLine: number,
  title: string,
  kind: PassageKind = 'section',
): Passage {
  const full = path.join(examples, file);
  const text = readFileSync(full, 'utf8')
    .split('\n')
    .slice(startLine - 1, endLine)
    .join('\n');
  const language = file.endsWith('.py') ? 'python' : file.endsWith('.ts') ? 'typescript' : 'markdown';
  return {
    id: `${file}:${startLine}`,
    uri: pathToFileURL(full).href,
    path: file.replace(/^[^/]+\//, ''),
    startLine,
    endLine,
    kind,
    language,
    title,
    text,
    contentHash: `${file}:${startLine}`,
    links: [],
  };
}

type Why = Omit<HopReason, 'fromSpan' | 'toSpan'> & { fromWords?: string; toWords?: string };

/** A hop whose linking words are looked up in both passages. */
export function hop(passage: Passage, why: Why, before?: Passage): Hop {
  const { fromWords, toWords, ...reason } = why;
  return {
    passage,
    score: 2.1,
    why: { ...reason, fromSpan: before && spanOf(before.text, fromWords), toSpan: spanOf(passage.text, toWords) },
  };
}

export const matching = (terms: string[], toWords: string): Why => ({
  kind: 'question',
  because: { code: 'matches', terms },
  terms,
  toWords,
});

function spanOf(text: string, words: string | undefined): { start: number; end: number } | undefined {
  const start = words === undefined ? -1 : text.indexOf(words);
  return start < 0 || words === undefined ? undefined : { start, end: start + words.length };
}

const silence = examplePassage('notes/incidents/2024-02-17-silent-weekend.md', 23, 26, 'The silent weekend > Cause');
const power = examplePassage('notes/systems/mast-power.md', 7, 10, 'Mast Power');
const cells = examplePassage('notes/suppliers/halden-cells.md', 9, 20, 'Halden Cells');
const hamish = examplePassage('notes/people/hamish-adeyemi.md', 1, 12, 'Hamish Adeyemi');
const boxes = examplePassage(
  'notes/decisions/0003-heated-battery-boxes.md',
  22,
  25,
  '0003 Heated battery boxes > Decision',
);

export const supplierChain: PassageChain = {
  hops: [
    hop(silence, matching(['batteries', 'froze', 'silent weekend'], 'batteries froze')),
    hop(
      power,
      {
        kind: 'link',
        because: { code: 'links', who: 'The silent weekend', what: 'systems/mast-power', line: 26 },
        terms: ['systems/mast-power'],
        from: 0,
        fromWords: '[[systems/mast-power]]',
        toWords: 'Mast Power',
      },
      silence,
    ),
    hop(
      cells,
      {
        kind: 'link',
        because: { code: 'links', who: 'Mast Power', what: 'Halden Cells', line: 10 },
        terms: ['Halden Cells'],
        from: 1,
        fromWords: 'Halden Cells]]',
        toWords: 'Halden Cells',
      },
      power,
    ),
    hop(
      hamish,
      {
        kind: 'title',
        because: { code: 'names', who: 'Halden Cells', what: 'Hamish Adeyemi' },
        terms: ['Hamish Adeyemi'],
        from: 2,
        fromWords: 'Hamish Adeyemi',
        toWords: 'Hamish Adeyemi',
      },
      cells,
    ),
  ],
  score: 7.4,
  completeness: 0.93,
};

const hit = (passage: Passage, rank: number): SearchHit => ({
  passage,
  score: 1 / rank,
  folded: [],
  parts: { text: { rank, score: 9.1 / rank }, vector: { rank: rank + 1, score: 0.8 } },
});
export const supplierHits: SearchHit[] = [silence, power, cells, hamish, boxes].map((passage, index) =>
  hit(passage, index + 1),
);

export const coverage = { files: 63, passages: 412, embedded: 412, indexing: false };

const supplierAnswer: Answer = {
  text:
    '**Hamish Adeyemi** [4] has to be rung.\n\nThe pack that froze on the silent weekend stands in the Mast ' +
    'Power cabinet [1]. Its batteries are made by Halden Cells [2], whose account *Hamish Adeyemi* keeps: orders ' +
    'and claims go through him [3]. He has done so since the beginning.',
  short: 'Hamish Adeyemi',
  abstained: false,
  statements: [
    { text: 'Hamish Adeyemi [4] has to be rung.', citations: [4], support: 'supported' },
    {
      text: 'He has done so since the beginning.',
      citations: [],
      support: 'unsupported',
      problem: 'no passage is cited',
    },
  ],
  citations: [
    { number: 1, passageId: silence.id, quote: 'the pack in the Mast Power cabinet', startLine: 25, endLine: 25 },
    { number: 2, passageId: power.id, quote: 'The batteries are made by', startLine: 10, endLine: 10 },
    { number: 3, passageId: cells.id, startLine: 9, endLine: 20 },
    { number: 4, passageId: hamish.id, startLine: 1, endLine: 12 },
  ],
  passages: [silence, power, cells, hamish],
  chain: supplierChain,
  missing: ['Since when does he keep the account?'],
  subAnswers: [
    {
      stepId: 's1',
      question: 'Which part froze?',
      answer: 'The pack in the Mast Power cabinet',
      found: true,
      passageIds: [silence.id],
    },
    { stepId: 's2', question: 'Who makes it?', answer: 'Halden Cells', found: true, passageIds: [power.id] },
  ],
  unsupportedCount: 1,
  conflicts: [],
  by: 'model',
  coverage,
};

/** Stamps events with a run id and a steady clock. */
export function stamp(
  runId: string,
  events: readonly UnstampedEvent[],
  start = Date.UTC(2024, 10, 21, 9, 0, 0),
): ResearchEvent[] {
  return events.map((event, index) => ({ ...event, runId, time: start + index * 300 }) as ResearchEvent);
}

/** A run that has its first hits, and no trail yet. */
export const firstHitsRun = (): ResearchEvent[] =>
  stamp('first', [
    { type: 'run-start', question: supplierQuestion, asked: supplierQuestion, model: null },
    { type: 'first-hits', hits: supplierHits.map(({ passage, score }) => ({ passage, score })) },
  ]);

export const supplierQuestion = 'Who do we ring about the batteries that froze on the silent weekend?';

const supplierSteps: UnstampedEvent[] = [
  { type: 'run-start', question: supplierQuestion, asked: supplierQuestion, model: 'gpt-4o' },
  {
    type: 'question-classified',
    classification: { type: 'inference', probabilities: { inference: 0.84, lookup: 0.16 }, classifier: 'embedded' },
    usual: ['single-step'],
  },
  {
    type: 'strategy-selected',
    strategy: 'debate',
    reason: 'Looks like a question over several passages: a debated plan; thorough costs about 2 × as much.',
    relativeCost: 3,
  },
  {
    type: 'debate-turn',
    round: 1,
    role: 'affirmative',
    text: 'Sub-steps: find the part that froze, then its maker, then who keeps the account.',
    plan: ['sub-step'],
    inputTokens: 420,
    outputTokens: 60,
  },
  {
    type: 'debate-turn',
    round: 1,
    role: 'negative',
    text: 'A single retrieval would not reach the account, but the iterative operator may be enough.',
    plan: ['iterative-step'],
    inputTokens: 490,
    outputTokens: 55,
  },
  {
    type: 'debate-turn',
    round: 1,
    role: 'judge',
    text: 'The chain is clear from the question. Sub-steps stand.',
    plan: ['sub-step'],
    inputTokens: 560,
    outputTokens: 30,
  },
  {
    type: 'plan-proposed',
    plan: {
      steps: [{ operator: 'sub-step', purpose: 'Follow the part to its maker and on to the contact' }],
      origin: 'debate-hard',
      reason: 'Three facts that hang on one another.',
      cost: { calls: { least: 2, most: 32 }, tokens: 2300 },
    },
  },
  {
    type: 'step-start',
    stepId: 's1',
    operator: 'sub-step',
    question: 'Which part froze on the silent weekend?',
    dependsOn: [],
  },
  {
    type: 'passages-retrieved',
    stepId: 's1',
    query: 'part that froze on the silent weekend',
    hits: supplierHits,
    chain: { ...supplierChain, hops: supplierChain.hops.slice(0, 2) },
    milliseconds: 84,
  },
  {
    type: 'sub-answer-ready',
    stepId: 's1',
    subAnswer: {
      stepId: 's1',
      question: 'Which part froze?',
      answer: 'The pack in the Mast Power cabinet',
      found: true,
      passageIds: [silence.id],
    },
  },
  {
    type: 'critique-ready',
    stepId: 's1',
    of: 'node',
    verdict: { verdict: 'keep', reason: 'The passage says so.', by: 'model' },
  },
  { type: 'step-end', stepId: 's1', outcome: 'answered' },
  {
    type: 'step-start',
    stepId: 's2',
    parentStepId: 's1',
    operator: 'single-step',
    question: 'Who makes the battery pack in the Mast Power cabinet?',
    dependsOn: ['s1'],
  },
  {
    type: 'passages-retrieved',
    stepId: 's2',
    query: 'maker of the battery pack HC-40',
    hits: supplierHits.slice(1),
    chain: { ...supplierChain, hops: supplierChain.hops.slice(0, 3) },
    milliseconds: 61,
  },
  {
    type: 'tool-used',
    stepId: 's2',
    tool: 'read',
    asked: 'notes/suppliers/halden-cells.md:9-20',
    places: [{ path: 'notes/suppliers/halden-cells.md', startLine: 9, endLine: 20, passageId: cells.id }],
    total: 1,
    milliseconds: 3,
  },
];

/** A run in the middle of its second step. */
export const runningRun: ResearchEvent[] = stamp('running', supplierSteps);

const supplierRest: UnstampedEvent[] = [
  {
    type: 'sub-answer-ready',
    stepId: 's2',
    subAnswer: { stepId: 's2', question: 'Who makes it?', answer: 'Halden Cells', found: true, passageIds: [power.id] },
  },
  { type: 'step-end', stepId: 's2', outcome: 'answered' },
  {
    type: 'step-start',
    stepId: 's3',
    operator: 'sub-step',
    question: 'What did the board say about it?',
    dependsOn: [],
  },
  { type: 'passages-retrieved', stepId: 's3', query: 'board about batteries', hits: [], milliseconds: 40 },
  {
    type: 'critique-ready',
    stepId: 's3',
    of: 'node',
    verdict: { verdict: 'irrelevant', reason: 'The question does not ask for it.', by: 'model' },
  },
  { type: 'step-end', stepId: 's3', outcome: 'rejected' },
];

/** A run whose answer is being written. */
export const streamingRun: ResearchEvent[] = stamp('streaming', [
  ...supplierSteps,
  ...supplierRest,
  {
    type: 'answer-delta',
    text: '**Hamish Adeyemi** [4] has to be rung.\n\nThe pack that froze on the silent weekend ',
  },
]);

/** A run that ended with an answer of a language model. */
export const answeredRun: ResearchEvent[] = stamp('answered', [
  ...supplierSteps,
  ...supplierRest,
  { type: 'answer-delta', text: supplierAnswer.text },
  {
    type: 'critique-ready',
    stepId: 's1',
    of: 'answer',
    verdict: { verdict: 'keep', reason: 'One statement has no source.', by: 'model' },
  },
  { type: 'answer-end', answer: supplierAnswer },
  {
    type: 'run-end',
    usage: { calls: 7, inputTokens: 6120, outputTokens: 480, estimated: false, retrievals: 3, seconds: 14.2 },
  },
]);

/** A run without a language model: quotes. */
export const extractiveRun: ResearchEvent[] = stamp('extractive', [
  { type: 'run-start', question: supplierQuestion, asked: supplierQuestion, model: null },
  {
    type: 'question-classified',
    classification: { type: 'inference', probabilities: { inference: 0.84, lookup: 0.16 }, classifier: 'embedded' },
  },
  { type: 'step-start', stepId: 's1', operator: 'extractive', question: supplierQuestion, dependsOn: [] },
  {
    type: 'passages-retrieved',
    stepId: 's1',
    query: supplierQuestion,
    hits: supplierHits,
    chain: supplierChain,
    milliseconds: 93,
  },
  { type: 'step-end', stepId: 's1', outcome: 'answered' },
  {
    type: 'answer-end',
    answer: {
      ...supplierAnswer,
      by: 'extractive',
      unsupportedCount: 0,
      statements: [],
      text:
        '> Hamish Adeyemi keeps our account with Halden Cells; orders and claims go through him. [3]\n\n- “At ' +
        '−24 °C the batteries froze: the pack in the Mast Power cabinet shut itself off.” [1]\n- “The batteries ' +
        'are made by Halden Cells.” [2]',
      lead: {
        kind: 'quotes',
        text: '> Hamish Adeyemi keeps our account with Halden Cells; orders and claims go through him. [3]',
        citations: [3],
      },
    },
  },
  {
    type: 'run-end',
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 1, seconds: 0.4 },
  },
]);

/** A question that the workspace cannot answer. */
/** A run whose model has been silent for a while: quotes stand in its place. */
export const silentRun: ResearchEvent[] = [
  ...runningRun,
  ...stamp(runningRun[0]?.runId ?? '', [
    {
      type: 'notice',
      code: 'model-silent',
      details: { model: 'qwen2.5-7b-instruct', seconds: 8, thinks: false },
    },
    ...extractiveRun.flatMap((event) =>
      event.type === 'answer-end' ? [{ type: 'quotes-meanwhile' as const, answer: event.answer }] : [],
    ),
  ]),
];

export const abstainedRun: ResearchEvent[] = stamp('abstained', [
  {
    type: 'run-start',
    question: 'What did the satellite cost in 2019?',
    asked: 'And what did it cost in 2019?',
    model: 'gpt-4o',
  },
  { type: 'question-classified', classification: { type: 'null', probabilities: {}, classifier: 'embedded' } },
  {
    type: 'step-start',
    stepId: 's1',
    operator: 'single-step',
    question: 'What did the satellite cost in 2019?',
    dependsOn: [],
  },
  {
    type: 'passages-retrieved',
    stepId: 's1',
    query: 'satellite cost 2019',
    hits: supplierHits.slice(0, 2),
    milliseconds: 55,
  },
  { type: 'step-end', stepId: 's1', outcome: 'nothing-found' },
  {
    type: 'answer-end',
    answer: {
      ...supplierAnswer,
      text: 'No file speaks of this. No passage speaks of 2019.',
      short: '',
      abstained: true,
      refusal: 'nothing-speaks',
      abstainReason: 'No passage speaks of 2019.',
      statements: [],
      citations: [],
      chain: { hops: [], score: 0, completeness: 0 },
      passages: [],
      unsupportedCount: 0,
    },
  },
  {
    type: 'run-end',
    usage: { calls: 2, inputTokens: 1800, outputTokens: 60, estimated: true, retrievals: 1, seconds: 3.1 },
  },
]);

/** The run of quotes with another lead. */
function ledBy(text: string, rest: Partial<Answer>): ResearchEvent[] {
  const lead = { kind: 'quotes' as const, text, citations: [2] };
  return extractiveRun.map((event) =>
    event.type === 'answer-end' ? { ...event, answer: { ...event.answer, text, lead, ...rest } } : event,
  );
}

/** A refusal with the row of a table that comes nearest. */
export const nearestRowRun: ResearchEvent[] = ledBy(
  '| Part | Kept at | Warranty | Where to claim it |\n| --- | --- | --- | --- |\n| Battery pack | −20 °C and ' +
    'above | 36 months from delivery | Halden Cells, extension 461 [2] |',
  {
    short: '',
    abstained: true,
    refusal: 'part-looked-at',
    abstainReason: 'Only systems/ was looked at.',
    statements: [],
  },
);

/** Led by a statement of a program, below its signature. */
export const codeLeadRun: ResearchEvent[] = ledBy(
  '```typescript\nexport async function runTask(name: string, context: TaskContext): Promise<TaskResult> {\n  …\n' +
    '    throw createError({ statusCode: 501, message: `Task ${name} is not implemented` });\n```\n\n`task.ts:48` [2]',
  {},
);

/** A run whose model could not be reached after the first step. */
export const failedRun: ResearchEvent[] = stamp('failed', [
  ...supplierSteps,
  {
    type: 'run-error',
    error: {
      code: 'model-unreachable',
      message: '127.0.0.1:11434 does not answer.',
      advice: 'Start the server, or choose another model.',
      action: 'choose-model',
    },
    usage: { calls: 1, inputTokens: 500, outputTokens: 0, estimated: true, retrievals: 2, seconds: 5.5 },
  },
]);

/** A run that the person stopped. */
export const stoppedRun: ResearchEvent[] = stamp('stopped', [
  ...supplierSteps,
  {
    type: 'run-cancelled',
    usage: { calls: 1, inputTokens: 500, outputTokens: 20, estimated: false, retrievals: 2, seconds: 2.5 },
  },
]);

const nothingUsed = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0, seconds: 0.2 };

/** A run that could not begin: its error is its first event. */
export const failedAtStart: ResearchEvent[] = stamp('failed-at-start', [
  {
    type: 'run-error',
    error: {
      code: 'index-process-crashed',
      message: 'The index process ended unexpectedly.',
      advice: 'It is started anew; ask again.',
      action: 'show-log',
    },
    usage: nothingUsed,
  },
]);

/** A run that was stopped while the index was still being opened. */
export const stoppedAtStart: ResearchEvent[] = stamp('stopped-at-start', [
  { type: 'run-cancelled', usage: nothingUsed },
]);

/**
 * A run whose question was not understood as it was written, and whose trail points at files that it does not enter.
 */
export const understoodRun: ResearchEvent[] = answeredRun.map((event) => {
  if (event.type === 'run-start') return { ...event, asked: 'And who rings them?' };
  if (event.type !== 'answer-end') return event;
  const { answer } = event;
  const hops = answer.chain.hops.map((hop, index) => ({
    ...hop,
    passage: {
      ...hop.passage,
      links:
        index === 0
          ? [{ kind: 'wikilink' as const, target: 'Ferry Decision', line: 2, path: 'decisions/ferry-decision.md' }]
          : [],
    },
  }));
  return { ...event, answer: { ...answer, chain: { ...answer.chain, hops } } };
});
