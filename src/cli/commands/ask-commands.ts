import { createInterface } from 'node:readline/promises';
import { reportError } from '#base';
import type { Answer, ResearchOptions } from '#research';
import { runNoticeInWords } from '#research/notices';
import type { PastTurn } from '#search';
import { reasonInWords } from '#search/reasons';
import type { Engine } from '#hoptrail';
import { errorAsJson, ReportedError, UsageError } from '../exit.ts';
import { nothingRead } from '../nothing-read.ts';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import { pathScope } from '../places.ts';
import { howLine, newSummary, noteEvent, printAnswer, progressOf, type RunSummary } from '../print-answer.ts';
import { type Output, ProgressLine } from '../terminal.ts';

interface AskCommandOptions extends EngineOptions {
  json?: boolean;
  events?: boolean;
  path?: string[];
  research: Partial<ResearchOptions>;
}

/** How one question is asked. */
interface Asked extends AskCommandOptions {
  /** Printed in place of an answer from an index without files. */
  nothing?: string;
}

/** What a run tells people beside its answer. */
interface Notice {
  code: string;
  message: string;
}

/** What a run leaves beside its answer. */
interface Ending {
  summary: RunSummary;
  notices: readonly Notice[];
  /** The model's failure, after which quotes stand in for its answer. */
  failure: ReportedError | undefined;
}

/** `hoptrail ask DIR "question"`. */
export async function askCommand(
  directory: string,
  question: string,
  options: AskCommandOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (question.trim() === '') throw new UsageError('The question is empty.');
  const path = pathScope(directory, options.path);
  await withEngine(directory, options, signal, async ({ engine, update, roots }) => {
    const report = await update({ soon: true }, signal);
    const nothing = report && nothingRead(report, roots);
    await runQuestion(engine, question, [], { ...options, path, nothing }, output, signal);
  });
}

const NOTHING_READ = 'nothing-read';

/** Asks once and prints as the options say; undefined if the run was cancelled. */
async function runQuestion(
  engine: Engine,
  text: string,
  history: PastTurn[],
  options: Asked,
  output: Output,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const scope = options.path ? { paths: options.path } : undefined;
  const summary = newSummary();
  const notices: Notice[] = [];
  const line = new ProgressLine();
  let answer: Answer | undefined;
  let failure: ReportedError | undefined;
  for await (const event of engine.research({ text, history, scope }, options.research, signal)) {
    noteEvent(summary, event);
    if (event.type === 'answer-end') answer = event.answer;
    if (event.type === 'notice') notices.push({ code: event.code, message: runNoticeInWords(event) });
    if (event.type === 'run-error')
      failure = new ReportedError(event.error, { told: answer !== undefined || options.events === true });
    if (options.events) output.json(event.type === 'notice' ? { ...event, message: runNoticeInWords(event) } : event);
    else if (!options.json) {
      const doing = progressOf(event);
      if (doing !== undefined) line.update(doing);
    }
  }
  line.clear();
  if (options.nothing !== undefined && answer?.coverage.files === 0 && !answer.coverage.indexing)
    notices.push({ code: NOTHING_READ, message: options.nothing });
  if (answer && !options.events) print(answer, { summary, notices, failure }, options, output);
  if (failure) throw failure; // the quotes are printed all the same
  return answer;
}

function print(answer: Answer, ending: Ending, options: AskCommandOptions, output: Output): void {
  if (options.json) return output.json(jsonAnswer(answer, ending));
  const nothing = ending.notices.find(({ code }) => code === NOTHING_READ)?.message;
  for (const { code, message } of ending.notices)
    if (code !== NOTHING_READ) output.err(output.errorStyle.warn(message));
  output.out(`${nothing ?? printAnswer(answer, output.style)}\n\n${output.style.dim(howLine(ending.summary))}`);
}

/** The stable shape of `ask --json`. */
function jsonAnswer(answer: Answer, { summary, notices, failure }: Ending): unknown {
  return {
    answer: answer.text,
    short: answer.short,
    abstained: answer.abstained,
    ...(answer.refusal && { refusal: answer.refusal, reason: answer.abstainReason }),
    ...(answer.absent && { absent: answer.absent }),
    missing: answer.missing ?? [],
    statements: answer.statements,
    subAnswers: answer.subAnswers,
    chain: answer.chain.hops.map(({ passage: { path, startLine, endLine, title, text }, why, score }) => ({
      path,
      startLine,
      endLine,
      title,
      text,
      why: reasonInWords(why).text,
      score,
    })),
    citations: answer.citations.map(({ number, passageId, startLine, endLine, quote, context }) => ({
      number,
      path: answer.passages.find((passage) => passage.id === passageId)?.path,
      startLine,
      endLine,
      quote,
      ...(context !== undefined && { context }),
    })),
    unsupported: answer.unsupportedCount,
    by: answer.by,
    plan: summary.plan,
    notices,
    coverage: answer.coverage,
    usage: summary.usage,
    ...(failure && { error: errorAsJson(failure) }),
  };
}

/** `hoptrail chat DIR`: questions and follow-ups until an empty line or Ctrl-D. */
export async function chatCommand(
  directory: string,
  options: AskCommandOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const path = pathScope(directory, options.path);
  await withEngine(directory, options, signal, async ({ engine, update, roots }) => {
    let report = await update({ soon: true }, signal);
    output.err('Ask about this folder. An empty line ends the session.');
    const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: '\n› ', signal });
    lines.once('SIGINT', () => process.emit('SIGINT')); // in a terminal, Ctrl-C reaches readline only
    let ended = false; // piped input may end long before its last question is answered
    lines.once('close', () => {
      ended = true;
    });
    const history: PastTurn[] = [];
    let asked = false;
    lines.prompt();
    for await (const line of lines) {
      const question = line.trim();
      if (question === '') break;
      try {
        if (asked) report = await update({ soon: true }, signal); // files may have changed since the last question
        asked = true;
        const nothing = report && nothingRead(report, roots);
        const answer = await runQuestion(engine, question, history, { ...options, path, nothing }, output, signal);
        if (answer) history.push({ question, answer: answer.short || answer.text });
      } catch (error) {
        // A failed question does not end the session.
        if (signal.aborted) break;
        if (options.json && !(error instanceof ReportedError && error.told)) output.json({ error: errorAsJson(error) });
        output.err(output.errorStyle.error(reportError(error).message));
      }
      if (signal.aborted) break;
      if (!ended) lines.prompt();
    }
    lines.close();
  });
}
