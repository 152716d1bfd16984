import { isAbortError, remembered, reportError } from '#base';
import type { Passage, PassageChain, SearchHit } from '#search';
import type { EvidenceView, Room } from '../evidence/view.ts';
import { uniquePassages } from '../evidence/ledger.ts';
import { fenced, escapeForPrompt } from '../evidence/fence.ts';
import type { ToolCall } from '../language-model/language-model.ts';
import { argumentsOf } from '../language-model/request-turn.ts';
import { estimateTokens } from '../language-model/context-window.ts';
import { emptyChain, idsOf, type OperatorContext, type Step } from '../operators/operator.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import type { ChainOptions } from '#search';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { tools } from '../tools/tool-table.ts';

/** What a search for a question and the plan's queries found. */
interface FirstLook {
  chain: PassageChain;
  /** Best first: the trail, the best of each query, then what all of them found. */
  passages: Passage[];
}

/** What a beam search of this run works with. */
export function chainOptions({ options, question }: Pick<OperatorContext, 'options' | 'question'>): ChainOptions {
  const { beam, maxHops, stop, threshold }: ResearchOptions = options;
  return {
    beam,
    maxHops,
    stop,
    ...(stop === 'threshold' && { threshold }),
    ...(question.scope && { filter: question.scope }),
  };
}

/** Searches for a question, and with it for the queries of a plan; each is told with what it found. */
export async function firstLook(
  context: OperatorContext,
  step: Step,
  question: string,
  queries: readonly string[] = [],
): Promise<FirstLook> {
  const started = context.now();
  const { chains, hits, coverage, repeated } = await context.ledger.chains(
    question,
    { ...chainOptions(context), ...(queries.length > 0 && { queries: [...queries] }) },
    context.signal,
  );
  if (!repeated) context.budget.addRetrieval();
  context.noteCoverage(coverage);
  const [chain = emptyChain] = chains;
  tellSearch(context, step, { query: question, hits, chain: chains[0], started });
  const byQuery = queries.map((query) => hits.filter((hit) => hit.query === query));
  for (const [i, query] of queries.entries()) tellSearch(context, step, { query, hits: byQuery[i] ?? [], started });
  const hops = chain.hops.map((hop) => hop.passage);
  // Each query was written for a purpose: its best hit is shown, however low the question itself ranks it.
  const best = [hits, ...byQuery].flatMap((list) => list.slice(0, 1));
  return { chain, passages: uniquePassages([...hops, ...[...best, ...hits].map((hit) => hit.passage)]) };
}

interface ToldSearch {
  query: string;
  hits: readonly SearchHit[];
  chain?: PassageChain | undefined;
  started: number;
}

function tellSearch(context: OperatorContext, step: Step, { query, hits, chain, started }: ToldSearch): void {
  context.emit({
    type: 'passages-retrieved',
    ...idsOf(step),
    query,
    hits: [...hits],
    ...(chain && { chain }),
    milliseconds: context.now() - started,
  });
}

/** Places of one look that an event tells. */
const MOST_PLACES = 20;

/** What a call of a tool came to, in words for the model, and what it has seen by it. */
interface Looked {
  text: string;
  passages: readonly Passage[];
  /** What was asked for, on one line. */
  asked: string;
}

/**
 * Makes one call of a tool. A tool that is not there, arguments that it does not take and a look that fails are told to
 * the model, which may do better. Rejects with AbortError only.
 */
export async function lookUp(
  context: OperatorContext,
  step: Step,
  view: EvidenceView,
  call: ToolCall,
  room: Room,
): Promise<Looked> {
  const failed = (text: string): Looked => ({ text, passages: [], asked: call.name });
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool)
    return failed(
      `There is no tool ${JSON.stringify(call.name)}. There are: ${tools.map((one) => one.name).join(', ')}.`,
    );
  const input = tool.input.safeParse(argumentsOf(call));
  if (!input.success) {
    const problems = input.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return failed(`${tool.name} does not take these arguments. ${problems.join(' ')}`);
  }
  const asked = tool.asked(input.data);
  const started = context.now();
  try {
    const result = await resultOf(context, tool, input.data);
    context.ledger.add(result.passages);
    if (result.hits) {
      context.ledger.found(asked, result.hits, result.chain);
      tellSearch(context, step, { query: asked, hits: result.hits, chain: result.chain, started });
    } else {
      const milliseconds = context.now() - started;
      const places = result.places.slice(0, MOST_PLACES).map((place) => ({ ...place }));
      context.emit({
        type: 'tool-used',
        ...idsOf(step),
        tool: tool.name,
        asked,
        places,
        total: result.total,
        milliseconds,
      });
    }
    return { ...(await shown(context, view, asked, result, room)), asked };
  } catch (error) {
    if (isAbortError(error) || context.signal.aborted) throw error;
    return failed(reportError(error).message);
  }
}

/** The same look is made once a run. */
function resultOf(context: OperatorContext, tool: Tool<unknown>, input: unknown): Promise<ToolResult> {
  const key = `${tool.name} ${JSON.stringify(input)}`;
  return remembered(context.ledger.looks, key, () => {
    if (tool.name === 'search') context.budget.addRetrieval();
    const { retriever, signal, question, files } = context;
    const run = tool.run({ retriever, signal, scope: question.scope, ...(files && { files }) }, input);
    run.catch(() => context.ledger.looks.delete(key));
    return run;
  });
}

/** A search is shown as stretches and hits, a file's lines as one stretch, a list as it stands. */
async function shown(
  context: OperatorContext,
  view: EvidenceView,
  asked: string,
  { text, hits, lines, chain, passages }: ToolResult,
  room: Room,
): Promise<Omit<Looked, 'asked'>> {
  if (hits) {
    const found = uniquePassages([...(chain?.hops.map((hop) => hop.passage) ?? []), ...hits.map((hit) => hit.passage)]);
    const seen = await view.show(asked, found, room, context.signal);
    return { text: seen.text === '' ? text : seen.text, passages: seen.passages };
  }
  if (lines) {
    const title = passages[0]?.title ?? '';
    return { text: view.lines({ ...lines, title }, room.tokens) || 'There is no room left to show it.', passages };
  }
  return { text: fenced(cutToTokens(escapeForPrompt(text), room.tokens)), passages };
}

/** As many lines from the beginning as fit. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const kept: string[] = [];
  let left = tokens - 10;
  for (const line of text.split('\n')) {
    left -= estimateTokens(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [...kept, '… (cut)'].join('\n');
}
