import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OperatorName, PlanCost } from '../../../../src/research/domain/plan.ts';
import { planningCost } from '../../../../src/research/plan/plan-steps.ts';
import { defaultResearchOptions, type ResearchOptions } from '../../../../src/research/context/research-options.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { numberOfFile, promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import {
  type RecordedCall,
  ScriptedLanguageModel,
  type ScriptedReply,
} from '../../../doubles/scripted-language-model.ts';

/** Every passage carries an answer with this probability. */
const readAs = (answerability: number) => {
  const anything = { chain: ['outage', 'kestrel', 'mara'], reading: { answerability } };
  return relayRetriever({ scripts: { [BORN]: anything, ' ': anything } });
};
/** Surely; and so that a first look may be enough, and every answer is in doubt. */
const SURE = 0.95;
const IN_DOUBT = 0.55;

/** Says at once, and in few words, what the passages say. */
const brief = (call: RecordedCall): ScriptedReply => {
  const cited = `Mara Lindqvist was born in Narvik [${numberOfFile(call, 'mara') ?? 1}].`;
  switch (promptKind(call)) {
    case 'thought':
      return `${cited} So the answer is: Narvik`;
    case 'decompose':
      return { json: { questions: [BORN] } };
    case 'next-step':
      return { json: { enough: false, question: BORN } };
    default:
      return cooperative(call);
  }
};

const LONG = 'The keeper who repaired it, Mara Lindqvist, was born in Narvik';
const INVENTED = 'Torvald Nilsen was born in Bergen';

/**
 * Answers in sentences that have to be cut down, never arrives, splits into as many questions as it may, and rejects
 * the first answer to each: whatever can cost a call costs one.
 */
function longest(operator: OperatorName): ScriptedLanguageModel {
  let thoughts = 0;
  let asked = 0;
  let verdicts = 0;
  let wholes = 0;
  return new ScriptedLanguageModel((call) => {
    const mara = numberOfFile(call, 'mara') ?? 1;
    switch (promptKind(call)) {
      case 'fast-plan':
        return { json: { reason: 'Look, then think.', plan: ['single-step', 'chain-of-thought'] } };
      case 'decompose':
        return { json: { questions: ['relay', 'keeper', 'town', 'March'].map((of) => `What is said of the ${of}?`) } };
      case 'next-sub-question':
        return { json: { question: `Who else knows of it, asked for the ${(asked += 1)}. time?` } };
      case 'thought':
        return `Torvald Nilsen repaired relay number ${(thoughts += 1)} [${mara}].`;
      case 'closed-book':
        return `Because: ${INVENTED} [${mara}].\nAnswer: The keeper was born in Bergen`;
      case 'brief-answer':
        return `Answer: ${LONG} [${mara}]`;
      case 'answer':
        // Levels of the adaptive step whose answer does not hold lead on to the next.
        return operator === 'adaptive-step' && (wholes += 1) <= 2
          ? `Because: ${INVENTED} [${mara}].\nAnswer: The keeper was born in Bergen`
          : `Because: Mara Lindqvist was born in Narvik [${mara}].\nAnswer: ${LONG}`;
      case 'critique-node': {
        const rejected = /Step: What is said|repaired relay number 1\b/.test(call.prompt);
        const first = operator === 'adaptive-step' && (verdicts += 1) === 1;
        return { json: { reason: 'It is looked at.', verdict: rejected || first ? 'unsupported' : 'keep' } };
      }
      default:
        return cooperative(call);
    }
  });
}

interface Calls {
  made: number;
  told: PlanCost['calls'];
}

/** Calls that a run makes besides the one that plans, and those that its plan tells of. */
async function callsOf(
  model: ScriptedLanguageModel,
  answerability: number,
  options: { operator?: OperatorName; debate?: 'fast'; critique: boolean },
): Promise<Calls> {
  const run = await runResearch(BORN, {
    retriever: readAs(answerability),
    model,
    options: { ...options, budget: { ...defaultResearchOptions.budget, calls: 100, tokens: 1e6 } },
  });
  const end = run.events.at(-1);
  const told = run.events.flatMap((event) => (event.type === 'plan-proposed' ? (event.plan.cost?.calls ?? []) : []))[0];
  assert.ok(end?.type === 'run-end' && told, 'the run ends, and has told a plan');
  const planning = model.calls.filter((call) => promptKind(call) === 'fast-plan').length;
  return { made: end.usage.calls - planning, told };
}

const ENDING = ['single-step', 'iterative-step', 'sub-step', 'adaptive-step', 'chain-of-thought'] as const;

describe('the calls that a plan tells of', () => {
  for (const critique of [true, false]) {
    const judged = critique ? 'critique on' : 'critique off';
    for (const operator of [...ENDING, 'self-critical'] as const)
      it(`are at least what ${operator} makes where it is sure, ${judged}`, async () => {
        const { made, told } = await callsOf(new ScriptedLanguageModel(brief), SURE, { operator, critique });
        assert.equal(told.least, made);
      });

    for (const operator of ENDING.filter((name) => name !== 'chain-of-thought'))
      it(`are at most what ${operator} makes where everything is in doubt, ${judged}`, async () => {
        const { made, told } = await callsOf(longest(operator), IN_DOUBT, { operator, critique });
        assert.equal(told.most, made);
      });

    it(`are at most what two steps make where everything is in doubt, ${judged}`, async () => {
      const { made, told } = await callsOf(longest('chain-of-thought'), IN_DOUBT, { debate: 'fast', critique });
      assert.equal(told.most, made);
    });

    it(`have no most where only the budget ends them, ${judged}`, async () => {
      const { made, told } = await callsOf(longest('self-critical'), IN_DOUBT, { operator: 'self-critical', critique });
      assert.equal(told.most, undefined);
      assert.ok(made > told.least, `${made}`);
    });
  }
});

/** Calls that a run makes before its first step, where the model argues as told. */
async function callsBefore(
  script: (call: RecordedCall) => ScriptedReply,
  options: Partial<ResearchOptions> & Pick<ResearchOptions, 'debate'>,
): Promise<Calls> {
  const { events } = await runResearch(BORN, {
    retriever: relayRetriever(),
    model: new ScriptedLanguageModel(script),
    options: { ...options, critique: false, budget: { ...defaultResearchOptions.budget, calls: 100, tokens: 1e6 } },
  });
  const turns = events.filter((event) => event.type === 'debate-turn');
  const place = events.findIndex((event) => event.type === 'plan-proposed');
  assert.ok(place > 0 && turns.every((turn) => events.indexOf(turn) < place), 'a plan is made before it is told');
  return { made: turns.length, told: planningCost(options.debate, { ...defaultResearchOptions, ...options }).calls };
}

const NONSENSE: OperatorName[] = ['chain-of-thought'];
/**
 * Nobody agrees with anybody, the slow debater not with itself, no judge is ever satisfied, and what comes of it makes
 * no sense.
 */
function nonsense(): (call: RecordedCall) => ScriptedReply {
  let heard = 0;
  return (call) => {
    switch (promptKind(call)) {
      case 'slow':
        return { json: { reason: 'It is weighed.', plan: (heard += 1) % 2 ? ['single-step'] : ['sub-step'] } };
      case 'judge':
        return { json: { reason: 'They do not agree.', plan: ['single-step'], settled: false } };
      case 'judge-soft':
        return { json: { reason: 'Think.', plan: NONSENSE, settled: true } };
      case 'fast-plan':
        return { json: { reason: 'Think.', plan: NONSENSE } };
      default:
        return cooperative(call);
    }
  };
}

describe('the calls that making a plan costs', () => {
  it('are one where the plan is made in one, also where it makes no sense', async () => {
    for (const script of [cooperative, nonsense()]) {
      const { made, told } = await callsBefore(script, { debate: 'fast' });
      assert.equal(made, 1);
      assert.deepEqual(told, { least: made, most: made });
    }
  });

  for (const judge of ['both', 'soft'] as const)
    it(`are those of all rounds, and of what draws a plan from them: judge ${judge}`, async () => {
      const { made, told } = await callsBefore(nonsense(), { debate: 'full', judge });
      assert.equal(told.most, made);
    });
});
