import { assembleAnswer, noticeAbsent, refuse } from '../answer/assemble-answer.ts';
import { onOneLine } from '../answer/inert-text.ts';
import { type Reading, statementsOf } from '../answer/reading.ts';
import { type CheckedStatement, checkReading } from '../check/check-reading.ts';
import { type Critique, critiqueAnswer, evidenceCritique } from '../check/critique.ts';
import type { Answer } from '../domain/answer.ts';
import { uniquePassages } from '../evidence/ledger.ts';
import { chainOptions } from '../loop/look-up.ts';
import type { OperatorResult } from '../operators/operator.ts';
import type { RunState } from './run-state.ts';

/** The last reading that answers, checked and marked; a refusal only where the model says so or cites nothing. */
export async function conclude(run: RunState, results: readonly OperatorResult[]): Promise<Answer> {
  const read = results.filter(({ reading }) => reading !== undefined);
  const result = read.findLast(({ reading }) => reading && !reading.none && reading.text !== '') ?? read.at(-1);
  const quoted = results.findLast((one) => one.answer)?.answer;
  if (!result?.reading) return quoted ?? refusal(run, results, undefined, []);
  const { reading } = result;
  const fromMemory = results.every(({ evidence }) => evidence.length === 0) && result.operator === 'chain-of-thought';
  const checked = checkReading(reading, run.ledger, run.question.text, fromMemory);
  const cites = checked.some(({ places }) => places.length > 0);
  if (reading.none || reading.text === '' || (!cites && !fromMemory)) {
    const answer = await refusal(run, results, reading, checked);
    recordAnswer(run, answer, undefined);
    return answer;
  }
  const criticised = await criticise(run, result.stepId, reading, checked, fromMemory);
  const answer = assembleAnswer(run, reading, criticised.checked);
  recordAnswer(run, answer, criticised.critique);
  const known = await run.ledger.chains(run.question.text, chainOptions(run), run.signal).catch(() => undefined);
  noticeAbsent(run, fromMemory ? undefined : known?.absent);
  return answer;
}

/** The last critique: by the model where the check has a doubt, else the check's own verdict (RISE; D_c). */
async function criticise(
  run: RunState,
  stepId: string,
  reading: Reading,
  checked: CheckedStatement[],
  fromMemory: boolean,
): Promise<{ checked: CheckedStatement[]; critique?: Critique }> {
  if (!run.options.critique || fromMemory) return { checked };
  const own: Critique = { verdict: evidenceCritique({ question: run.question.text, checked, none: false }, []) };
  const doubts = checked.some(({ support }) => support === 'unsupported');
  const asked = doubts ? await critiqueAnswer(run, reading.short, checked) : undefined;
  const critique = asked ?? own;
  run.emit({ type: 'critique-ready', stepId, of: 'answer', verdict: critique.verdict });
  if (asked && asked.verdict.verdict !== 'keep') {
    const details = { irrelevant: asked.verdict.verdict === 'irrelevant', reason: asked.verdict.reason };
    run.notice({ code: 'answer-doubted', details });
  }
  return { checked: asked?.checked ?? checked, critique };
}

function recordAnswer(run: RunState, answer: Answer, critique: Critique | undefined): void {
  run.record({
    kind: 'answer',
    history: run.subAnswers
      .filter(({ found }) => found)
      .map(({ question, answer: said }) => ({ question, answer: said })),
    answer: answer.short,
    abstained: answer.abstained,
    unsupportedCount: answer.unsupportedCount,
    reasons: answer.statements.map(({ text }) => text),
    passageIds: [...new Set(answer.citations.map(({ passageId }) => passageId))],
    verdict: critique?.verdict ?? null,
    ...(critique?.sent && { sent: critique.sent }),
  });
}

async function refusal(
  run: RunState,
  results: readonly OperatorResult[],
  reading: Reading | undefined,
  checked: readonly CheckedStatement[],
): Promise<Answer> {
  const { hits, absent } = await run.ledger.chains(run.question.text, chainOptions(run), run.signal);
  const evidence = uniquePassages(results.flatMap((result) => result.evidence));
  const closest = evidence.length > 0 ? evidence : hits.map(({ passage }) => passage);
  return refuse(run, { reading, checked, closest, absent, by: 'model' });
}

/** What a stopped run had found: its readings, one after the other. undefined when there is none. Waits for nothing. */
export function partialAnswer(run: RunState): Answer | undefined {
  const { readings, ledger, question } = run;
  const whole = readings.findLast(({ subAnswer }) => subAnswer.question === question.text);
  const used = whole ? [whole] : readings;
  if (used.length === 0) return undefined;
  const reading: Reading = whole
    ? whole.reading
    : {
        text: used
          .map(({ subAnswer, reading: one }) => `- **${subAnswer.question}** ${onOneLine(one.text)}`)
          .join('\n'),
        short: '',
        missing: [question.text],
        none: false,
        statements: [],
      };
  const checked = checkReading(whole ? reading : { statements: statementsOf(reading.text) }, ledger, question.text);
  return assembleAnswer(run, reading, checked);
}

/** What a run that is out of time had found, without waiting for anything: whoever it waited for may never answer. */
export function answerAtOnce(run: RunState): Answer {
  return (
    partialAnswer(run) ??
    run.quotes ??
    refuse(run, {
      closest: run.ledger.all,
      absent: [],
      by: run.model ? 'model' : 'extractive',
      reason: 'The time was over before an answer was found.',
    })
  );
}
