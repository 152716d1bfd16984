import type { Answer } from '../domain/answer.ts';
import { nameForm, type Passage, type PassageChain } from '#search';
import { abstainedAnswer, refusalOf } from '../answer/abstained-answer.ts';
import { bestUnit } from '../answer/select-quotes.ts';
import { speaksOf } from '../answer/what-speaks.ts';
import { ABSTAIN_BELOW } from '../answer/extractive-answer.ts';
import { inlineText } from '../answer/passage-lines.ts';
import { assembleAnswer } from '../answer/assemble-answer.ts';
import { settleByYears } from '../answer/answer-draft.ts';
import { critiqueAnswer } from '../critique/critique-answer.ts';
import { draftOf } from '../operators/sub-answers.ts';
import { emptyChain, type OperatorResult } from '../operators/operator.ts';
import { chainOptions } from '../operators/retrieve.ts';
import type { RunState } from './run-state.ts';

export interface Conclusion {
  answer: Answer;
  result: OperatorResult | undefined;
}

/**
 * The answer of a run whose steps are done: the last one that holds, checked, or a refusal with the nearest passages.
 */
export async function conclude(run: RunState, results: readonly OperatorResult[]): Promise<Conclusion> {
  const result = results.findLast((one) => one.draft) ?? results.at(-1);
  if (result?.answer) return { answer: { ...result.answer, subAnswers: [...run.subAnswers] }, result };
  if (!result?.draft) return { answer: await refusal(run, result?.reason, results), result };
  const draft = settleByYears(result.draft, result.reading, (id) => run.ledger.numberOf(id));
  const answer = fromDraft(run, { ...result, draft }, chainBehind(result, results));
  if (answer.statements.length === 0)
    return {
      answer: await refusal(
        run,
        'What the model said stands in none of the passages.',
        results,
        answer.unsupportedCount,
      ),
      result,
    };
  if (!(await carriesAnswer(run, result)))
    return { answer: await refusal(run, notCarried(result), results, answer.unsupportedCount), result };
  if (draft !== result.draft)
    run.notice('years-decide', `The model answered “${result.draft.short}”; the years in the passages say otherwise.`);
  return { answer, result };
}

/** The last critique of the whole (RISE); emitted, and kept with the run's end. */
export async function criticiseWhole(run: RunState, { answer, result }: Conclusion): Promise<Answer> {
  if (!run.options.critique || !result || answer.abstained || answer.by === 'extractive') {
    run.recordAnswer({
      answer: answer.short,
      abstained: answer.abstained,
      unsupportedCount: answer.unsupportedCount,
      verdict: null,
    });
    return answer;
  }
  const verdict = await critiqueAnswer(run, run.question.text, answer, result.reading?.answerability);
  run.emit({ type: 'critique-ready', stepId: result.stepId, of: 'answer', verdict });
  if (verdict.verdict !== 'keep')
    run.notice('answer-doubted', `A last look at the answer found it ${verdict.verdict}: ${verdict.reason}`);
  run.recordAnswer({ answer: answer.short, abstained: false, unsupportedCount: answer.unsupportedCount, verdict });
  return answer;
}

/**
 * Whether the evidence carries an answer, whatever a model made of it: small ones find an answer in anything. Either
 * all that the steps gathered or the question's own chain must read as if it did (the reader's probability is
 * calibrated: one half decides, as without a model). Where no single answer is asked for, and where nothing was looked
 * up, it is not asked.
 */
async function carriesAnswer(run: RunState, { reading }: OperatorResult): Promise<boolean> {
  if (run.classification.type === 'overview' || !reading || reading.answerability >= ABSTAIN_BELOW) return true;
  const question = run.question.text;
  const { chains } = await run.ledger.chains(question, chainOptions(run), run.signal);
  const own = chains[0]?.hops.map((hop) => hop.passage.id) ?? [];
  return own.length > 0 && (await run.retriever.read(question, own, run.signal)).answerability >= ABSTAIN_BELOW;
}

/** Whatever the years made of it: these are the model's words. */
function notCarried({ draft }: OperatorResult): string {
  const said = inlineText(draft?.short ?? '');
  return `The passages do not seem to carry an answer.${said === '' ? '' : ` The model would have said: “${said}”.`}`;
}

/**
 * What a run that was stopped had found, made of its sub-answers; undefined when there is none. Its short answer is ''
 * unless the whole question was answered. Waits for nothing.
 */
export function partialAnswer(run: RunState): Answer | undefined {
  const kept = run.subAnswers.filter((one) => one.found);
  const last = kept.at(-1);
  if (!last) return undefined;
  const draft = draftOf(run, kept);
  const short = nameForm(last.question) === nameForm(run.question.text) ? draft.short : '';
  const evidence = passagesWith(
    run,
    kept.flatMap((one) => one.passageIds),
  );
  return fromDraft(
    run,
    { operator: 'sub-step', stepId: last.stepId, draft: { ...draft, short }, chain: emptyChain, evidence },
    emptyChain,
  );
}

function fromDraft(run: RunState, result: OperatorResult, chain: PassageChain): Answer {
  return assembleAnswer({
    draft: result.draft ?? { short: '', statements: [], conflicts: [] },
    chain,
    subAnswers: run.subAnswers,
    coverage: run.coverage,
    evidence: result.evidence,
    question: run.question.text,
    passageOf: (number) => run.ledger.passage(number),
    ...(result.reading && { reading: result.reading }),
  });
}

/**
 * A refusal by what was found for the whole question: whether the files speak of it, and which of their lines comes
 * nearest to answering.
 */
async function refusal(
  run: RunState,
  reason: string | undefined,
  results: readonly OperatorResult[],
  unsupportedCount = 0,
): Promise<Answer> {
  const evidence = uniquePassages(results.flatMap((result) => result.evidence));
  const chain = results.map((result) => result.chain).findLast((one) => one.hops.length > 0) ?? emptyChain;
  const { hits } = await run.ledger.chains(run.question.text, chainOptions(run), run.signal);
  const reading = results.findLast((result) => result.reading)?.reading;
  const { refusal: kind, reason: part } = refusalOf(
    speaksOf(run.question.text, hits),
    run.coverage,
    run.question.scope,
  );
  return abstainedAnswer({
    refusal: kind,
    reason: [part, reason].filter(Boolean).join(' '),
    nearest: evidence.length > 0 ? evidence : run.ledger.all,
    best: reading && bestUnit(reading, evidence),
    chain,
    coverage: run.coverage,
    subAnswers: run.subAnswers,
    by: 'model',
    unsupportedCount,
  });
}

/** A step that only thought rests on the trail of those before it. */
function chainBehind(result: OperatorResult, results: readonly OperatorResult[]): PassageChain {
  if (result.chain.hops.length > 0) return result.chain;
  return results.map((one) => one.chain).findLast((chain) => chain.hops.length > 0) ?? emptyChain;
}

const uniquePassages = (passages: readonly Passage[]): Passage[] => [
  ...new Map(passages.map((passage) => [passage.id, passage])).values(),
];

function passagesWith(run: RunState, ids: readonly string[]): Passage[] {
  const wanted = new Set(ids);
  return run.ledger.all.filter((passage) => wanted.has(passage.id));
}
