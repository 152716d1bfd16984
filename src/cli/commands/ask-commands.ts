import type { Answer, ResearchEvent, ResearchOptions, Usage } from '#research';
import { runNoticeInWords } from '#research/notices';
import type { PastTurn } from '#search';
import { reasonInWords } from '#search/reasons';
import type { Engine } from '#hoptrail';
import { errorAsJson, ReportedError, UsageError } from '../exit.ts';
import { pathScope } from '../places.ts';
import { nothingRead } from '../nothing-read.ts';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../terminal.ts';
import { printAnswer, printEvent } from '../print-trail.ts';
import { createInterface } from 'node:readline/promises';
import { reportError } from '#base';

interface AskCommandOptions extends EngineOptions {
  json?: boolean;
  events?: boolean;
  path?: string[];
  research: Partial<ResearchOptions>;
}

/** How one question is asked. */
interface Asked extends AskCommandOptions {
  /** Told in place of an answer from an index without files, which cannot say why it has none. */
  nothing?: string;
}

/** What a run wants people to know, beside its answer. */
interface Notice {
  code: string;
  message: string;
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

/** Asks once and prints as the options say. Resolves with the answer; undefined when the run was cancelled. */
async function runQuestion(
  engine: Engine,
  text: string,
  history: PastTurn[],
  options: Asked,
  output: Output,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const scope = options.path ? { paths: options.path } : undefined;
  let answer: Answer | undefined;
  let usage: Usage | undefined;
  let failure: ReportedError | undefined;
  const notices: Notice[] = [];
  let question = text;
  for await (const event of engine.research({ text, history, scope }, options.research, signal)) {
    if (options.events) output.json(event.type === 'notice' ? { ...event, message: runNoticeInWords(event) } : event);
    else if (!options.json) printWatched(event, output);
    if (event.type === 'run-start') question = event.question; // a follow-up is made to stand alone
    if (event.type === 'answer-end') answer = event.answer;
    if (event.type === 'run-end' || event.type === 'run-cancelled') usage = event.usage;
    if (event.type === 'notice') notices.push({ code: event.code, message: runNoticeInWords(event) });
    if (event.type === 'run-error')
      failure = new ReportedError(event.error, { told: answer !== undefined || options.events === true });
  }
  if (options.nothing !== undefined && answer?.coverage.files === 0 && !answer.coverage.indexing)
    notices.push({ code: NOTHING_READ, message: options.nothing });
  if (answer && !options.events) print(answer, question, { usage, notices, failure }, options, output);
  // A run that the model failed still answers, with quotes: both are told.
  if (failure) throw failure;
  return answer;
}

const NOTHING_READ = 'nothing-read';

/** What a run leaves beside its answer. */
interface Ending {
  usage: Usage | undefined;
  notices: readonly Notice[];
  /** What the model failed with: the answer is made of quotes then. */
  failure: ReportedError | undefined;
}

function print(answer: Answer, question: string, ending: Ending, options: AskCommandOptions, output: Output): void {
  const { usage, notices } = ending;
  const nothing = notices.find(({ code }) => code === NOTHING_READ)?.message;
  if (options.json) output.json(jsonAnswer(answer, ending));
  else
    output.out(
      `\n${nothing ?? printAnswer(answer, question, output.style, output.width)}${usage ? `\n${output.style.dim(describeUsage(usage))}` : ''}`,
    );
}

function printWatched(event: ResearchEvent, output: Output): void {
  const line = printEvent(event, output.errorStyle);
  if (line !== undefined) output.err(line);
}

/** The stable shape of `ask --json`. */
function jsonAnswer(answer: Answer, { usage, notices, failure }: Ending): unknown {
  return {
    answer: answer.text,
    short: answer.short,
    ...(answer.lead && { lead: answer.lead }),
    abstained: answer.abstained,
    ...(answer.refusal && { refusal: answer.refusal, reason: answer.abstainReason }),
    ...(answer.absent && { absent: answer.absent }),
    subAnswers: answer.subAnswers.map((sub) => ({
      question: sub.question,
      answer: sub.answer,
      found: sub.found,
      passageIds: sub.passageIds,
    })),
    chain: answer.chain.hops.map(({ passage, why, score }, i) => ({
      path: passage.path,
      startLine: passage.startLine,
      endLine: passage.endLine,
      title: passage.title,
      text: passage.text,
      why: reasonInWords(why).text,
      ...(answer.finds?.[i] && { found: answer.finds[i] }),
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
    notices,
    coverage: answer.coverage,
    usage,
    ...(failure && { error: errorAsJson(failure) }),
  };
}

function describeUsage(usage: Usage): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const model =
    usage.calls === 0
      ? 'no language model'
      : `${usage.calls} model calls, ${usage.estimated ? 'about ' : ''}${tokens} tokens`;
  return `${usage.seconds.toFixed(1)} s, ${usage.retrievals} retrievals, ${model}`;
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
    let ended = false; // what was piped may end long before its last question is answered
    lines.once('close', () => {
      ended = true;
    });
    const history: PastTurn[] = [];
    let asked = false;
    lines.prompt();
    for await (const line of lines) {
      if (line.trim() === '') break;
      try {
        if (asked) report = await update({ soon: true }, signal); // files may have changed since the last question
        asked = true;
        const nothing = report && nothingRead(report, roots);
        const answer = await runQuestion(engine, line.trim(), history, { ...options, path, nothing }, output, signal);
        if (answer) history.push({ question: line.trim(), answer: answer.short || answer.text });
      } catch (error) {
        // One failed question does not end the session.
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
