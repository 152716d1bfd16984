import type { Hop, IndexCoverage, Passage, PassageChain } from '#search';

/** A citation whose quoted span code has found in its passage. */
export interface Citation {
  /** 1-based number by which the answer's text refers to it, as in `[2]`. */
  number: number;
  passageId: string;
  /** Quoted text that was checked to stand in the passage; undefined when the whole passage is meant. */
  quote?: string;
  /** First and last line (1-based) of the quote in the file, or of the passage. */
  startLine: number;
  endLine: number;
  /** What stands above the quote and is needed to read it: the header cells of a row, the signature of a statement. */
  context?: string;
}

/** No file speaks of it; some do, and no line answers; neither can be said, since only a part was looked at. */
export type Refusal = 'nothing-speaks' | 'no-line-answers' | 'part-looked-at';

/** What stands large above everything else of an answer. */
export interface Lead {
  /** `answer`: the short answer, which is sure; `quotes`: the units that best answer, where none is. */
  kind: 'answer' | 'quotes';
  /** Markdown with `[n]` marks: the beginning of the answer's text; of a refusal, a part of it. */
  text: string;
  /** Numbers of the citations in it, the best first. */
  citations: number[];
}

/** A sentence of the answer after the citation check. */
export interface Statement {
  text: string;
  /** Citation numbers, in the order given. */
  citations: number[];
  /** `quote`: verbatim from the corpus; `supported`: its names and numbers stand in what it cites. */
  support: 'quote' | 'supported' | 'unsupported';
  /** Why it is unsupported, for people, in English. */
  problem?: string;
  /** The same as data, from which an editor makes words. */
  why?: StatementProblem;
}

/** `no-such-place`: what it cites (`terms`) was not shown; `not-there`: `terms` do not stand in what it cites. */
export interface StatementProblem {
  code: 'not-cited' | 'no-such-place' | 'not-there';
  terms: readonly string[];
}

/** Verdict on a node or an answer (RISE's critique). */
export interface CritiqueVerdict {
  verdict: 'keep' | 'redundant' | 'irrelevant' | 'unsupported';
  reason: string;
  /** `evidence`: by scores, without a language model. */
  by: 'model' | 'evidence';
}

/** What one step (one of RISE's nodes) found. */
export interface SubAnswer {
  stepId: string;
  question: string;
  /** '' when nothing was found. */
  answer: string;
  found: boolean;
  /** It is a sentence of reasoning on the way: its question is not answered by it. */
  thought?: true;
  /** Passages it rests on: all of them were retrieved in this run. */
  passageIds: string[];
  critique?: CritiqueVerdict;
}

/** What a run has used so far. */
export interface Usage {
  /** Language-model calls. */
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Of the input: tokens from the provider's prompt cache, as far as it says. */
  cachedTokens?: number;
  /** True when a provider gave no counts and we estimated. */
  estimated: boolean;
  /** Retrievals (beam or hybrid). */
  retrievals: number;
  seconds: number;
}

/** The end of the run: what the panel and the command line show. */
export interface Answer {
  /** Short answer first, then the reasoning; Markdown with `[n]` marks only. */
  text: string;
  /** The short answer alone, which an evaluation compares; of quotes the best of them. '' when abstained. */
  short: string;
  /** What stands large; undefined where nothing does. */
  lead?: Lead;
  /** True: there is none. */
  abstained: boolean;
  /** Which refusal it is, when it abstained; runs of earlier versions do not say. */
  refusal?: Refusal;
  /** Names in the question that no file has: what the refusal is about. */
  absent?: string[];
  /** What is to be said beside that, in one or two sentences. */
  abstainReason?: string;
  /** What the evidence does not say, each as a question that can be asked; absent in runs of earlier versions. */
  missing?: string[];
  statements: Statement[];
  citations: Citation[];
  /** Every cited passage and every hop of the chain. */
  passages: Passage[];
  chain: PassageChain;
  subAnswers: SubAnswer[];
  /** Statements removed or marked by the citation check. */
  unsupportedCount: number;
  /** Sources that disagree, shown side by side. */
  conflicts: { statement: string; hops: Hop[] }[];
  /** `extractive`: quotes, no language model. */
  by: 'extractive' | 'model';
  /** What part of the workspace could be searched by words / by meaning when asked, 0..1. */
  coverage: IndexCoverage;
}
