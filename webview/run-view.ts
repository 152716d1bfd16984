import type {
  Answer, CritiqueVerdict, DebateTurn, ErrorReport, Hop, OperatorName, PassageChain, Plan, QuestionClassification, SearchHit, SubAnswer, Usage,
} from '../src/protocol.ts';

export type RunStatus = 'running' | 'done' | 'stopped' | 'failed' | 'cut-off';

/** One retrieval of a step. */
export interface RetrievalView {
  query: string;
  hits: SearchHit[];
  chain?: PassageChain;
  milliseconds: number;
}

export type StepStatus = 'running' | 'answered' | 'nothing-found' | 'rejected' | 'failed' | 'skipped' | 'stopped';

/** A sub-question with what became of it. */
export interface StepView {
  id: string;
  parentId?: string;
  /** 0 for steps of the plan, 1 for their children, and so on. */
  depth: number;
  operator: OperatorName;
  question: string;
  dependsOn: string[];
  status: StepStatus;
  retrievals: RetrievalView[];
  subAnswer?: SubAnswer;
  critique?: CritiqueVerdict;
  error?: ErrorReport;
}

/** Everything the panel shows of a run: a pure fold of its events. */
export interface RunView {
  status: RunStatus;
  /** The question as it stands alone; undefined before the run's first event. */
  question?: string;
  /** What was typed, when a follow-up was rewritten. */
  asked?: string;
  /** null: no language model; undefined: not known yet. */
  model?: string | null;
  classification?: QuestionClassification;
  strategy?: { name: string; reason: string; relativeCost?: number };
  plan?: Plan;
  debate: DebateTurn[];
  steps: StepView[];
  notices: { code: string; message: string }[];
  /** Streamed so far; the checked answer replaces it. */
  draft: string;
  answer?: Answer;
  /** The last critique of the whole answer. */
  critique?: CritiqueVerdict;
  usage?: Usage;
  error?: ErrorReport;
  /** Milliseconds since the epoch. */
  startedAt?: number;
  endedAt?: number;
}

/** The trail as it is known now: the answer's chain, or what the steps have found so far. */
export function trailOf(run: RunView): Hop[] {
  const chain = run.answer?.chain.hops ?? [];
  if (chain.length > 0) return chain;
  if (run.answer) return hopsOfCitations(run.answer);
  return hopsSoFar(run);
}

function hopsOfCitations(answer: Answer): Hop[] {
  const ids = [...new Set(answer.citations.map((citation) => citation.passageId))];
  return ids.flatMap((id) => {
    const passage = answer.passages.find((candidate) => candidate.id === id);
    return passage ? [{ passage, score: 0, why: { kind: 'question', text: '', terms: [] } satisfies Hop['why'] }] : [];
  });
}

/** Joins the chains of all steps in the order found; a passage stands once. `from` indices are moved to the joined list. */
function hopsSoFar(run: RunView): Hop[] {
  const joined: Hop[] = [];
  const indexOf = new Map<string, number>();
  for (const chain of run.steps.flatMap((step) => step.retrievals.flatMap((retrieval) => retrieval.chain ?? []))) {
    for (const hop of chain.hops) {
      if (indexOf.has(hop.passage.id)) continue;
      const before = hop.why.from === undefined ? undefined : chain.hops[hop.why.from];
      const from = before && indexOf.get(before.passage.id);
      indexOf.set(hop.passage.id, joined.length);
      joined.push({ ...hop, why: { ...hop.why, from } });
    }
  }
  if (joined.length > 0) return joined;
  const hits = run.steps.flatMap((step) => step.retrievals.flatMap((retrieval) => retrieval.hits)).slice(0, 3);
  return hits.map((hit) => ({ passage: hit.passage, score: hit.score, why: { kind: 'question', text: '', terms: [] } }));
}

/** Seconds a run took so far or in all; undefined before it began. */
export function secondsOf(run: RunView, now: number): number | undefined {
  if (run.usage) return run.usage.seconds;
  if (run.startedAt === undefined) return undefined;
  return ((run.endedAt ?? now) - run.startedAt) / 1000;
}
