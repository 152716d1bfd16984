import { reportError, throwIfCancelled, timerClock, type TimerClock } from '#base';
import {
  type IndexCoverage,
  LONGEST_QUESTION,
  lookedAt,
  type Question,
  type QuestionClassification,
  type Retriever,
} from '#search';
import type { Reading } from '../answer/reading.ts';
import type { RunRecord, UnstampedRecord } from '../context/node-record.ts';
import { Budget, type ResearchOptions } from '../context/research-options.ts';
import type { Answer, SubAnswer } from '../domain/answer.ts';
import type { UnstampedEvent } from '../domain/research-event.ts';
import type { RunNotice } from '../domain/run-notices.ts';
import { EvidenceLedger } from '../evidence/ledger.ts';
import { SILENT_AFTER, tellSilence } from '../language-model/complete.ts';
import type { LanguageModel } from '../language-model/language-model.ts';
import { stopNonsense } from '../language-model/nonsense.ts';
import type { DecompositionExample, OperatorContext } from '../operators/operator.ts';
import type { ToolContext } from '../tools/tool.ts';

/** In the order in which steps began: of those that run side by side, any may end first. */
const byStep = (a: SubAnswer, b: SubAnswer): number => Number(a.stepId.slice(1)) - Number(b.stepId.slice(1));

/** So many passages are worth a look while the trail is still being looked for. */
const FIRST_HITS = 5;

export interface RunPorts {
  runId: string;
  retriever: Retriever;
  /** undefined: answers are made of quotes. */
  model: LanguageModel | undefined;
  options: ResearchOptions;
  question: Question;
  signal: AbortSignal;
  files?: ToolContext['files'];
  now(): number;
  later?: TimerClock['later'] | undefined;
  emit(event: UnstampedEvent): void;
  /** Called once, when the model has been silent for a while. */
  silent?: (run: RunState) => void;
  /** Gets every node of a run, and its end, in the form of node-record.ts. */
  onNode?: (record: RunRecord) => void;
  /** Decompositions of earlier questions like this one, the most alike last: in-context examples. */
  examples?: (question: string, signal: AbortSignal) => Promise<readonly DecompositionExample[]>;
}

/** Everything that one run knows and has used. Made before the question is classified; lives as long as the run. */
export class RunState implements OperatorContext {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly options: ResearchOptions;
  readonly retriever: Retriever;
  readonly model: LanguageModel | undefined;
  readonly ledger: EvidenceLedger;
  readonly budget: Budget;
  readonly files?: ToolContext['files'];
  /** As much of it as is looked at. */
  question: Question;
  classification: QuestionClassification = { type: 'inference', probabilities: { inference: 1 }, classifier: 'fixed' };
  coverage: IndexCoverage = { files: 0, passages: 0, embedded: 0, indexing: false };
  /** Some of the answer has been shown already. */
  hasStreamed = false;
  /** Shown because the model is silent. */
  quotes: Answer | undefined;
  /** Readings that were kept, with their sub-answers, oldest first. */
  readonly readings: { subAnswer: SubAnswer; reading: Reading }[] = [];
  readonly #ports: RunPorts;
  readonly subAnswers: SubAnswer[] = [];
  readonly #notices = new Set<string>();
  #steps = 0;
  #started = false;
  #silenced = false;
  /** Aborted by the first words of an answer. */
  readonly #answers = new AbortController();
  /** Aborted by the first retrieval or answer that the run tells of: nothing that a quick search finds is told then. */
  readonly #found = new AbortController();

  constructor(ports: RunPorts) {
    this.#ports = ports;
    this.runId = ports.runId;
    this.signal = ports.signal;
    this.options = ports.options;
    this.retriever = ports.retriever;
    this.files = ports.files;
    this.model = ports.model && this.#watched(ports.model);
    const { text, history } = ports.question;
    this.question = {
      ...ports.question,
      text: lookedAt(text),
      history: history.map((turn) => ({ ...turn, question: lookedAt(turn.question) })),
    };
    this.ledger = new EvidenceLedger(ports.retriever);
    this.budget = new Budget(ports.options.budget, ports.now);
  }

  #watched(model: LanguageModel): LanguageModel {
    const silent = (thinks: boolean): void => {
      this.notice({ code: 'model-silent', details: { model: model.name, seconds: SILENT_AFTER, thinks } });
      if (!this.#silenced) this.#ports.silent?.(this);
      this.#silenced = true;
    };
    return tellSilence(stopNonsense(model), silent, this.#ports.later ?? timerClock.later);
  }

  now(): number {
    return this.#ports.now();
  }

  emit(event: UnstampedEvent): void {
    if (event.type === 'passages-retrieved' || event.type === 'answer-end') this.#found.abort();
    if (event.type === 'answer-delta') this.hasStreamed = true;
    if (event.type === 'answer-delta' || event.type === 'answer-end') this.#answers.abort();
    if (event.type === 'quotes-meanwhile') this.quotes = event.answer;
    this.#ports.emit(event);
  }

  /** A run beside this one without a model, that tells and teaches nothing; aborted when this one begins to answer. */
  aside(): RunState {
    const aside = new RunState({
      ...this.#ports,
      model: undefined,
      question: this.question,
      options: { ...this.options, critique: false, record: false, firstHits: false },
      signal: AbortSignal.any([this.signal, this.#answers.signal]),
      emit: () => undefined,
    });
    aside.classification = this.classification;
    return aside;
  }

  /** Tells that the run begins; a second call does nothing. `asked` is what was typed. */
  start(asked: string): void {
    if (this.#started) return;
    this.#started = true;
    this.emit({ type: 'run-start', question: this.question.text, asked, model: this.model?.name ?? null });
    const { length } = this.#ports.question.text;
    if (length > LONGEST_QUESTION)
      this.notice({ code: 'question-cut', details: { most: LONGEST_QUESTION, characters: length } });
  }

  /** Begins a quick search beside the run, told where it finds passages first. The run itself meets its error. */
  searchFirst(): void {
    if (!this.options.firstHits) return;
    const { text, scope } = this.question;
    const signal = AbortSignal.any([this.signal, this.#found.signal]);
    this.retriever
      .search(text, { retriever: 'hybrid', limit: FIRST_HITS, soon: true, ...(scope && { filter: scope }) }, signal)
      .then(({ hits }) => {
        if (signal.aborted || hits.length === 0) return;
        this.emit({ type: 'first-hits', hits: hits.map(({ passage, score }) => ({ passage, score })) });
      })
      .catch(() => undefined);
  }

  nextStepId(): string {
    this.#steps += 1;
    return `s${this.#steps}`;
  }

  keep(subAnswer: SubAnswer, reading?: Reading): void {
    this.subAnswers.push(subAnswer);
    this.subAnswers.sort(byStep);
    if (!reading || !subAnswer.found) return;
    this.readings.push({ subAnswer, reading });
    this.readings.sort((a, b) => byStep(a.subAnswer, b.subAnswer));
  }

  noteCoverage(coverage: IndexCoverage): void {
    this.coverage = coverage;
    const { indexing, passages, embedded } = coverage;
    if (!indexing) return;
    const share = passages === 0 ? 0 : Math.floor((100 * embedded) / passages);
    // Its numbers grow from one retrieval to the next.
    this.notice({ code: 'still-indexing', details: { passages, share } }, passages === 0 ? 'nothing' : 'not all');
  }

  /** Tells something once; again only where it is about something else. `about`: all its details, if not given. */
  notice(notice: RunNotice, about = JSON.stringify(notice.details)): void {
    if (this.#notices.has(notice.code + about)) return;
    this.#notices.add(notice.code + about);
    this.emit({ type: 'notice', ...notice });
  }

  /** Learnt examples; none when they cannot be had, which is told. */
  async examples(question: string): Promise<readonly DecompositionExample[]> {
    try {
      return (await this.#ports.examples?.(question, this.signal)) ?? [];
    } catch (error) {
      throwIfCancelled(error, this.signal);
      this.notice({ code: 'no-examples', details: { said: reportError(error).message } });
      return [];
    }
  }

  record(record: UnstampedRecord): void {
    if (!this.options.record) return;
    const { kind, ...rest } = record;
    const { runId, model, question } = this;
    const stamp = { runId, time: this.now(), model: model?.id ?? null, question: question.text };
    this.#ports.onNode?.({ kind, ...stamp, ...rest } as RunRecord);
  }
}
