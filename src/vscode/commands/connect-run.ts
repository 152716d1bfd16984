import { baseName, reportError } from '#base';
import { type Answer, type Citation, planOfIndex, type ResearchEvent, type UnstampedEvent } from '#research';
import type { Question, Retriever } from '#search';

export interface ConnectPorts {
  retriever: Pick<Retriever, 'connect'>;
  now(): number;
  newId(): string;
}

/** The best chains between two files as a run: found by the index alone, shown like any other answer. */
export async function* connectRun(
  { text: question, runId: askedAs }: Question,
  fromPath: string,
  toPath: string,
  ports: ConnectPorts,
  signal: AbortSignal,
): AsyncGenerator<ResearchEvent> {
  const runId = askedAs ?? ports.newId();
  const stepId = ports.newId();
  const began = ports.now();
  const usage = () => ({
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    estimated: false,
    retrievals: 1,
    seconds: (ports.now() - began) / 1000,
  });
  const stamp = (event: UnstampedEvent): ResearchEvent => ({ ...event, runId, time: ports.now() }) as ResearchEvent;
  yield stamp({ type: 'run-start', question, asked: question, model: null });
  yield stamp({ type: 'plan-proposed', plan: planOfIndex('It asks what links two files.') });
  yield stamp({ type: 'step-start', stepId, operator: 'extractive', question, dependsOn: [] });
  try {
    const result = await ports.retriever.connect(fromPath, toPath, {}, signal);
    const chain = result.chains[0] ?? { hops: [], score: 0, completeness: 0 };
    yield stamp({
      type: 'passages-retrieved',
      stepId,
      query: `${fromPath} → ${toPath}`,
      hits: result.hits,
      chain,
      milliseconds: ports.now() - began,
    });
    yield stamp({ type: 'step-end', stepId, outcome: chain.hops.length > 0 ? 'answered' : 'nothing-found' });
    yield stamp({ type: 'answer-end', answer: connectionAnswer(fromPath, toPath, result.chains, result.coverage) });
    yield stamp({ type: 'run-end', usage: usage() });
  } catch (error) {
    yield signal.aborted
      ? stamp({ type: 'run-cancelled', usage: usage() })
      : stamp({ type: 'run-error', error: reportError(error), usage: usage() });
  }
}

const nameOf = (path: string): string => `\`${baseName(path)}\``;

/** The first chain told hop by hop; the others as a line each. */
function connectionAnswer(
  fromPath: string,
  toPath: string,
  chains: Awaited<ReturnType<Retriever['connect']>>['chains'],
  coverage: Answer['coverage'],
): Answer {
  const chain = chains[0] ?? { hops: [], score: 0, completeness: 0 };
  const passages = [...new Map(chain.hops.map((hop) => [hop.passage.id, hop.passage])).values()];
  const citations: Citation[] = passages.map((passage, index) => ({
    number: index + 1,
    passageId: passage.id,
    startLine: passage.startLine,
    endLine: passage.endLine,
  }));
  const mark = (passageId: string): string =>
    `[${citations.find((citation) => citation.passageId === passageId)?.number ?? ''}]`;
  const abstained = chain.hops.length === 0;
  const steps = chain.hops.map((hop, index) =>
    index === 0
      ? `- ${nameOf(hop.passage.path)} ${mark(hop.passage.id)}`
      : `- ${nameOf(hop.passage.path)} ${mark(hop.passage.id)}: ${hop.why.text}`,
  );
  const others = chains
    .slice(1, 3)
    .map((other) => `- ${other.hops.map((hop) => nameOf(hop.passage.path)).join(' → ')}`);
  const hops = chain.hops.length - 1;
  const short = abstained
    ? ''
    : `${nameOf(fromPath)} leads to ${nameOf(toPath)} in ${hops} ${hops === 1 ? 'step' : 'steps'}.`;
  const text = abstained
    ? ''
    : [short, '', ...steps, ...(others.length > 0 ? ['', 'Other ways:', '', ...others] : [])].join('\n');
  return {
    text,
    short,
    abstained,
    ...(abstained
      ? { abstainReason: `No chain of links, names or shared terms leads from ${fromPath} to ${toPath}.` }
      : {}),
    statements: [],
    citations,
    passages,
    chain,
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: [],
    by: 'extractive',
    coverage,
  };
}
