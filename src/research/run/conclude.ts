import { uniquePassages } from '../context/passage-ledger.ts';
import type { Answer } from '../domain/answer.ts';
import { nameForm, type PassageChain } from '#search';
import { decidingNames, abstainedAnswer, refusalOf, speaksOf } from '../answer/abstained-answer.ts';
import { bestUnit } from '../answer/select-quotes.ts';
import { ABSTAIN_BELOW, extractiveAnswer } from '../answer/extractive-answer.ts';
import { inlineText } from '../answer/passage-lines.ts';
import { assembleAnswer } from '../answer/assemble-answer.ts';
import { upholds } from '../answer/check-citations.ts';
import { settleByYears } from '../answer/answer-draft.ts';
import { critiqueAnswer } from '../operators/critique.ts';
import { draftOf } from '../operators/sub-answers.ts';
import { emptyChain, type OperatorResult } from '../operators/operator.ts';
import { chainOptions, readEvidence } from '../operators/retrieve.ts';
import type { RunState } from './run-state.ts';

interface Conclusion {
  answer: Answer;
  result: OperatorResult | undefined;
}

/**
 * The answer of a run whose steps are done: that of the last step whose answer the passages support, checked, or a
 * refusal with the nearest passages. An answer that passes the citation check is not overruled: where the reader doubts
 * it, the doubt is shown with it.
 */
export async function conclude(run: RunState, results: readonly OperatorResult[]): Promise<Conclusion> {
  const drafts = results.flatMap((result) => draftedAnswer(run, result, results));
  const chosen = drafts.findLast(({ answer }) => passesCheck(answer)) ?? drafts.at(-1);
  if (chosen?.result.answer) return { answer: chosen.answer, result: chosen.result };
  const result = chosen?.result ?? results.at(-1);
  if (!chosen || !result) {
    if (result?.answer) return { answer: { ...result.answer, subAnswers: [...run.subAnswers] }, result };
    const quoted = quotesInstead(run, results);
    if (quoted) return quoted;
    return { answer: await refusal(run, result?.reason, results), result };
  }
  const { answer } = chosen;
  const carries = await answerability(run, result);
  const doubted = carries !== undefined && carries < ABSTAIN_BELOW;
  if (!stands(run, chosen)) {
    const quoted = doubted ? undefined : quotesOfStep(run, result);
    if (quoted) run.notice({ code: 'answer-unsupported', details: { answer: saidBy(result) } });
    const reason = doubted ? notCarried(result) : 'What the model said stands in none of the passages.';
    return { answer: quoted ?? (await refusal(run, reason, results, answer.unsupportedCount)), result };
  }
  if (chosen.settled) run.notice({ code: 'years-decide', details: { answer: result.draft?.short ?? '' } });
  const sure = carries === undefined ? answer : { ...answer, confidence: carries };
  return { answer: doubted ? withDoubt(sure, carries) : sure, result };
}

/**
 * Whether a model's answer may stand in the answer's place, marked where it fails the citation check: it passes, or it
 * is a figure that was reckoned from what holds, or nothing was looked up that could speak against it. Of 53 runs with
 * a model of 1.5 billion parameters 9 led with an answer that no passage says; one of them was right.
 */
function stands(run: RunState, { answer, result }: DraftedAnswer): boolean {
  const { short, statements } = answer;
  if (statements.length === 0) return false;
  if (run.classification.type === 'overview' || result.evidence.length === 0) return true;
  const reckoned = /\p{N}/u.test(short) && statements.some(({ support }) => support !== 'unsupported');
  return reckoned || passesCheck(answer);
}

interface DraftedAnswer {
  result: OperatorResult;
  answer: Answer;
  /** The years in the passages have overruled the model. */
  settled: boolean;
}

/** A step's draft as an answer whose citations are checked; none where the step has no draft. */
function draftedAnswer(run: RunState, result: OperatorResult, results: readonly OperatorResult[]): DraftedAnswer[] {
  if (!result.draft) return [];
  if (result.answer) return [{ result, answer: { ...result.answer, subAnswers: [...run.subAnswers] }, settled: false }];
  const draft = settleByYears(result.draft, result.reading, (id) => run.ledger.numberOf(id));
  return [
    {
      result,
      answer: fromDraft(run, { ...result, draft }, chainBehind(result, results)),
      settled: draft !== result.draft,
    },
  ];
}

const passesCheck = ({ short, statements }: Answer): boolean => upholds(short, statements);

const withDoubt = (answer: Answer, carries: number): Answer => {
  const doubt = `The reader doubts that these passages answer the question: ${Math.round(carries * 100)} % likely.`;
  return { ...answer, doubt, text: `${answer.text}\n\n*${doubt}*` };
};

/**
 * A model's “none” is believed up to this probability of the reader. Of 24 folders that nothing was trained on, it
 * gives more to 46 % of what notes answer (what leads is right for 0.81 of them) and 13 % of what they do not, of code
 * 41 % (0.71) and 5 %.
 */
const SURER_THAN_A_MODEL = 0.9;

/** The quotes of a step whose model found nothing and whose reader is sure; undefined where there is none. */
function quotesInstead(run: RunState, results: readonly OperatorResult[]): Conclusion | undefined {
  const result = results.findLast(({ reading }) => (reading?.answerability ?? 0) > SURER_THAN_A_MODEL);
  const answer = result && quotesOfStep(run, result);
  if (!answer) return undefined;
  run.notice({ code: 'model-found-none', details: { percent: Math.round((answer.confidence ?? 0) * 100) } });
  return { answer, result };
}

/** What a step's reader quotes of its passages; undefined where it read none, or where no single answer is wanted. */
function quotesOfStep(run: RunState, { chain, evidence, reading }: OperatorResult): Answer | undefined {
  if (!reading || evidence.length === 0 || run.classification.type === 'overview') return undefined;
  const quoted = extractiveAnswer(
    { question: run.question.text, chain, hits: [], passages: evidence, reading, coverage: run.coverage },
    'answer',
  );
  return { ...quoted, subAnswers: [...run.subAnswers] };
}

/** The last critique of the whole (RISE); emitted, and kept with the run's end. */
export async function criticiseWhole(run: RunState, { answer, result }: Conclusion): Promise<Answer> {
  if (!run.options.critique || !result || answer.abstained || answer.by === 'extractive') {
    run.recordAnswer({ ...recordedAnswer(answer), verdict: null });
    return answer;
  }
  const { verdict, sent } = await critiqueAnswer(run, run.question.text, answer, result.reading?.answerability);
  run.emit({ type: 'critique-ready', stepId: result.stepId, of: 'answer', verdict });
  if (verdict.verdict !== 'keep') {
    const details = { irrelevant: verdict.verdict === 'irrelevant', reason: verdict.reason };
    run.notice({ code: 'answer-doubted', details });
  }
  run.recordAnswer({ ...recordedAnswer(answer), verdict, ...(sent && { sent }) });
  return answer;
}

/** An answer as its record keeps it. */
const recordedAnswer = ({ short, abstained, unsupportedCount, statements, citations }: Answer) => ({
  answer: short,
  abstained,
  unsupportedCount,
  reasons: statements.map(({ text }) => text),
  passageIds: [...new Set(citations.map(({ passageId }) => passageId))],
});

/**
 * The reader's probability that the evidence carries an answer: that of all that the steps gathered, or that of the
 * question's own chain where it is higher. undefined where it is not asked: no single answer is wanted, or nothing was
 * looked up.
 */
async function answerability(run: RunState, { reading }: OperatorResult): Promise<number | undefined> {
  if (run.classification.type === 'overview' || !reading) return undefined;
  if (reading.answerability >= ABSTAIN_BELOW) return reading.answerability;
  const question = run.question.text;
  const { chains } = await run.ledger.chains(question, chainOptions(run), run.signal);
  const own = chains[0]?.hops.map((hop) => hop.passage) ?? [];
  if (own.length === 0) return reading.answerability;
  return Math.max(reading.answerability, (await readEvidence(run, question, own)).answerability);
}

/** What the model said, as people are told it, whatever the years made of it. */
const saidBy = ({ draft }: OperatorResult): string => inlineText(draft?.short ?? '');

function notCarried(result: OperatorResult): string {
  const said = saidBy(result);
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
  const isWhole = !last.thought && nameForm(last.question) === nameForm(run.question.text);
  const short = isWhole ? draft.short : '';
  const evidence = run.ledger.among(kept.flatMap((one) => one.passageIds));
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
  const { hits, absent } = await run.ledger.chains(run.question.text, chainOptions(run), run.signal);
  const reading = results.findLast((result) => result.reading)?.reading;
  const found = refusalOf(speaksOf(run.question.text, hits), run.coverage, run.question.scope, decidingNames(absent));
  return abstainedAnswer({
    ...found,
    reason: [found.reason, reason].filter(Boolean).join(' '),
    nearest: evidence.length > 0 ? evidence : run.ledger.all,
    best: reading && bestUnit(run.question.text, reading, evidence),
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
