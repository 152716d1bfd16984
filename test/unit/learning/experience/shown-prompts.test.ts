import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatMessage } from '../../../../src/research/language-model/language-model.ts';
import { deriveRecords } from '../../../../src/learning/experience/derive-records.ts';
import type { ExperienceRecord } from '../../../../src/learning/experience/experience-record.ts';
import { chatOf } from '../../../../src/learning/fine-tuning/export-chat.ts';
import { operatorCalled, operators } from '../../../../src/research/operators/operator-registry.ts';
import type { StrategyRoad } from '../../../../src/research/run/strategy-choice.ts';
import { parseGraphName } from '../../../../src/learning/strategy/graph.ts';
import { operatorAgents, runGraph } from '../../../../src/learning/strategy/operator-agents.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { askedIn, numberOfFile, promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { BEDS, BORN, outage, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch, type RunSettings } from '../../../doubles/run-research.ts';
import {
  ScriptedLanguageModel,
  type RecordedCall,
  type ScriptedReply,
} from '../../../doubles/scripted-language-model.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

/** Evidence that leaves a doubt: the model is asked for its critique. */
const DOUBTED = { answerability: 0.4 };
const retriever = (more: Parameters<typeof relayRetriever>[0] = {}): ReturnType<typeof relayRetriever> =>
  relayRetriever({
    ...more,
    scripts: {
      'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading: { answerability: 0.55 } },
      'which hut had the relay': { chain: ['outage'], reading: DOUBTED },
      'who is the keeper of kestrel hut': { chain: ['kestrel'], reading: DOUBTED },
      'where was mara lindqvist born': { chain: ['mara'], reading: DOUBTED },
      'how many beds does kestrel': { chain: ['kestrel'], reading: DOUBTED },
      'how many beds does heron': { chain: ['heron'], reading: DOUBTED },
      ...more.scripts,
    },
  });

type Script = (call: RecordedCall) => ScriptedReply | undefined;

/** A cooperative model that reasons before it answers, as the form asks; `odd` replies first. */
const modelOf = (odd: Script = () => undefined): ScriptedLanguageModel =>
  new ScriptedLanguageModel((call) => {
    const own = odd(call);
    if (own !== undefined) return own;
    if (promptKind(call) !== 'answer' || askedIn(call) !== BORN) return cooperative(call);
    return `Because: Mara Lindqvist was born in Narvik. [${numberOfFile(call, 'mara') ?? 9}]\nAnswer: Narvik`;
  });

const rejecting =
  (step: string): Script =>
  (call) =>
    promptKind(call) === 'critique-node' && call.prompt.includes(`Step: ${step}\n`)
      ? { json: { reason: 'It leads nowhere.', verdict: 'irrelevant' } }
      : undefined;

/** Says its first thought again, once it has had so many. */
function repeating(after = 1): Script {
  let thoughts = 0;
  return (call) =>
    promptKind(call) === 'thought' && thoughts++ === after
      ? 'The relay at Kestrel Hut failed on 4 March 2023 [1].'
      : undefined;
}

type CustomRoad = Extract<StrategyRoad, { kind: 'custom' }>;
const road = (run: CustomRoad['run']): RunSettings['dependencies'] => ({
  selectStrategy: async () => ({ strategy: 'own', reason: 'Asked for.', road: { kind: 'custom', run } }),
});

/** As a conversation goes but for the numbers of passages. */
const unnumbered = (messages: readonly ChatMessage[]): string =>
  JSON.stringify(messages)
    .replace(/number=\\"\d+\\"/gu, 'number')
    .replace(/ \[\d+\]/gu, ' [n]');

function kindOf(record: ExperienceRecord): string {
  switch (record.kind) {
    case 'decomposition':
      return record.next === null ? 'split' : 'instead';
    case 'reading':
      return record.form ?? 'unknown';
    case 'critique':
      return 'critique';
  }
}

interface Told {
  /** Kind of each exported prompt, with how it compares to one that was sent; sorted. */
  prompts: string[];
  records: ExperienceRecord[];
  calls: readonly RecordedCall[];
}

/**
 * A run of the engine, and every prompt that its records are exported with: each must be one that the model was sent in
 * it.
 */
async function told(
  question: string,
  settings: Partial<RunSettings> & { model?: ScriptedLanguageModel } = {},
): Promise<Told> {
  const model = settings.model ?? modelOf();
  const { records: run } = await runResearch(question, { retriever: retriever(), ...settings, model });
  const { records, refused } = deriveRecords(run, { thumb: 'up' });
  assert.deepEqual(refused, []);
  const sent = new Set(model.calls.map(({ messages }) => JSON.stringify(messages)));
  const sentBut = new Set(model.calls.map(({ messages }) => unnumbered(messages)));
  const prompts = records.flatMap((record) => {
    const prompt = chatOf(record)?.slice(0, -1);
    if (!prompt) return [];
    assert.ok(sentBut.has(unnumbered(prompt)), `never sent: ${kindOf(record)} ${JSON.stringify(prompt.at(-1))}`);
    return [`${kindOf(record)}${sent.has(JSON.stringify(prompt)) ? '' : ' but for numbers'}`];
  });
  return { prompts: prompts.sort(), records, calls: model.calls };
}

const replyTo = (records: readonly ExperienceRecord[], kind: string): string | undefined => {
  const found = records.find((record) => kindOf(record) === kind && chatOf(record));
  return found && chatOf(found)?.at(-1)?.content;
};

describe('prompts that runs have sent, as their records tell them', () => {
  it('are the split, the sub-questions’ readings and the critiques of a chain of sub-questions', async () => {
    const { prompts, records } = await told(BORN, { options: { operator: 'sub-step' } });
    assert.deepEqual(prompts, [
      'brief',
      'brief but for numbers',
      'brief but for numbers',
      'critique',
      'critique',
      'critique',
      'split',
    ]);
    assert.equal(
      replyTo(records, 'split'),
      '{"questions":["Which hut had the relay that failed in March?","Who is the keeper of #1?","Where was #2 born?"]}',
    );
    assert.equal(replyTo(records, 'brief'), 'Answer: Kestrel Hut [1]');
    assert.deepEqual(JSON.parse(replyTo(records, 'critique') ?? ''), {
      reason: 'It is what was asked.',
      verdict: 'keep',
    });
  });

  it('are asking anew after a rejection, with what was known and the one that was rejected', async () => {
    const decompose: Script = (call) =>
      promptKind(call) === 'decompose'
        ? {
            json: {
              questions: [
                'Which hut had the relay that failed in March?',
                'How many beds does Heron Hut have, whose relay failed like that of #1?',
              ],
            },
          }
        : undefined;
    const second = 'How many beds does Heron Hut have, whose relay failed like that of Kestrel Hut?';
    const late = await told(BORN, {
      options: { operator: 'sub-step' },
      model: modelOf((call) => rejecting(second)(call) ?? decompose(call)),
    });
    assert.deepEqual(late.prompts, [
      'brief',
      'brief but for numbers',
      'critique',
      'critique',
      'critique',
      'instead',
      'split',
    ]);
    assert.equal(replyTo(late.records, 'instead'), '{"question":"Who is the keeper of Kestrel Hut?"}');
    const first = await told(BORN, {
      options: { operator: 'sub-step' },
      model: modelOf(rejecting('Which hut had the relay that failed in March?')),
    });
    assert.deepEqual(first.prompts, ['brief but for numbers', 'critique', 'critique', 'instead', 'split']);
    for (const after of [1, 2]) {
      const thought = await told(BORN, { options: { operator: 'iterative-step' }, model: modelOf(repeating(after)) });
      assert.deepEqual(thought.prompts, ['instead', 'thought'], `after ${after} thoughts`);
    }
  });

  it('are not told of a critique beside which another sub-question ran: what the critic knew by then is not recorded', async () => {
    const { prompts } = await told(BEDS, { type: 'comparison', options: { operator: 'sub-step' } });
    assert.deepEqual(prompts, ['brief', 'brief but for numbers', 'critique', 'split']);
  });

  it('are the whole question’s where it was not split, with the reply as it came', async () => {
    for (const operator of ['sub-step', 'single-step'] as const) {
      const model = modelOf((call) => (promptKind(call) === 'decompose' ? { json: { questions: [BORN] } } : undefined));
      const { prompts, records } = await told(BORN, { options: { operator }, model });
      assert.deepEqual(
        prompts,
        operator === 'sub-step' ? ['critique', 'full', 'split'] : ['critique', 'full'],
        operator,
      );
      assert.equal(replyTo(records, 'full'), 'Because: Mara Lindqvist was born in Narvik. [3]\nAnswer: Narvik');
    }
  });

  it('are an outline’s where more passages were read than one look reads', async () => {
    const more = Array.from({ length: 4 }, (_, i) =>
      notePassage(`hut-${i}`, `Huts > Hut ${i}`, `Hut ${i} has a relay.`),
    );
    const overview = 'Which huts have a relay, and what happened there?';
    const model = modelOf((call) =>
      promptKind(call) === 'outline'
        ? 'Answer: The relay at Kestrel Hut failed on 4 March 2023. [1]\nBecause: The relay at Kestrel Hut failed on 4 March 2023. [1]'
        : undefined,
    );
    const { prompts } = await told(overview, {
      type: 'overview',
      options: { operator: 'single-step' },
      model,
      retriever: retriever({
        more,
        scripts: { 'which huts have a relay': { chain: ['outage'], reading: { answerability: 0.9 } } },
      }),
    });
    assert.deepEqual(prompts, ['outline']);
  });

  it('are a walk’s first thought: later ones cite numbers that are not recorded', async () => {
    const { prompts, records } = await told(BORN, { options: { operator: 'iterative-step' } });
    assert.deepEqual(prompts, ['thought']);
    assert.equal(replyTo(records, 'thought'), 'The relay at Kestrel Hut failed on 4 March 2023 [1].');
  });

  it('are none that others’ words went into, in a graph of agents, and nobody else’s answers', async () => {
    const graph = parseGraphName('one-retrieval>ircot,ircot>vote');
    assert.ok(graph);
    const run: CustomRoad['run'] = (context, task) =>
      runGraph(
        graph,
        operatorAgents(context, task, (name) => operators.get(name)),
        context,
        task,
      );
    const seen = await told(BORN, { dependencies: road(run) });
    assert.ok(seen.calls.some(({ prompt }) => prompt.includes('Somebody who looked once answers:')));
    assert.deepEqual(seen.prompts, ['critique', 'full']);
    const anew = await told(BORN, { dependencies: road(run), model: modelOf(repeating()) });
    assert.ok(anew.calls.some((call) => promptKind(call) === 'next-sub-question'));
    assert.deepEqual(anew.prompts, ['critique', 'full']);
  });

  it('are the critique’s of the whole question without what was known, and no split where another operator answered too', async () => {
    const { prompts } = await told(BORN, {
      dependencies: road(async (context, task) => {
        await operatorCalled('sub-step').run(context, { ...task, final: false });
        return operatorCalled('single-step').run(context, task);
      }),
    });
    assert.deepEqual(prompts, [
      'brief',
      'brief but for numbers',
      'brief but for numbers',
      'critique',
      'critique',
      'critique',
      'critique',
    ]);
  });

  it('are no asking anew where the next planned sub-question followed', async () => {
    const model = modelOf((call) => {
      const kind = promptKind(call);
      if (kind === 'next-sub-question') return { json: { question: '' } };
      if (kind === 'brief-answer' && askedIn(call).includes('the answer to “Which hut'))
        return `Answer: Mara Lindqvist [${numberOfFile(call, 'kestrel') ?? 9}]`;
      return rejecting('Which hut had the relay that failed in March?')(call);
    });
    const { prompts, records, calls } = await told(BORN, { options: { operator: 'sub-step' }, model });
    assert.ok(calls.some((call) => promptKind(call) === 'next-sub-question'));
    assert.ok(records.some((record) => record.kind === 'decomposition' && record.rejected.length === 1));
    assert.ok(!prompts.some((prompt) => prompt.startsWith('instead')), prompts.join());
  });

  it('differ by the examples of earlier runs that a split was shown', async () => {
    const model = modelOf();
    const learnt = {
      question: 'Where was the keeper of Heron Hut born?',
      steps: ['Who is the keeper of Heron Hut?', 'Where was #1 born?'],
    };
    const { records: run } = await runResearch(BORN, {
      retriever: retriever(),
      model,
      options: { operator: 'sub-step' },
      dependencies: { examples: async () => [learnt] },
    });
    const split = deriveRecords(run, { thumb: 'up' }).records.find((record) => kindOf(record) === 'split');
    const exported = split && chatOf(split)?.slice(0, -1);
    const sent = model.calls.find((call) => promptKind(call) === 'decompose')?.messages;
    assert.deepEqual(
      exported,
      sent?.filter(
        ({ content }) => content !== learnt.question && content !== JSON.stringify({ questions: learnt.steps }),
      ),
    );
    assert.equal(sent?.length, (exported?.length ?? 0) + 2);
  });

  it('are not told where several sentences hold the answer: which one the critic saw is not recorded', async () => {
    const twice = { ...outage, text: 'The relay at Kestrel Hut failed. Kestrel Hut was dark for a day.' };
    const { prompts } = await told(BORN, {
      options: { operator: 'sub-step' },
      retriever: retriever({
        more: [{ ...twice, id: 'twice', path: 'notes/twice-outage.md' }],
        scripts: { 'which hut had the relay': { chain: ['twice'], reading: DOUBTED } },
      }),
    });
    assert.equal(prompts.filter((prompt) => prompt.startsWith('critique')).length, 2, prompts.join());
  });
});
