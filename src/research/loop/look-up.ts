import { isAbortError, remembered, reportError } from '#base';
import type { ChainOptions, ChainResult, Passage, PassageChain, SearchHit } from '#search';
import type { EvidenceView, Room } from '../evidence/view.ts';
import { uniquePassages } from '../evidence/ledger.ts';
import { fenced, escapeForPrompt } from '../evidence/fence.ts';
import type { ToolCall } from '../language-model/language-model.ts';
import { argumentsOf } from '../language-model/request-turn.ts';
import { estimateTokens } from '../language-model/context-window.ts';
import { emptyChain, type OperatorContext, type Step } from '../operators/operator.ts';
import { type Tool, type ToolResult, unknownWords } from '../tools/tool.ts';
import { tools } from '../tools/tool-table.ts';

interface FirstLook {
  chain: PassageChain;
  /** Best first: the trail, the best of each query, then what all of them found. */
  passages: Passage[];
  /** Names of the question that no file has, and the same in a line; '' for none. */
  absent: ChainResult['absent'];
  note: string;
}

export function chainOptions({ options, question }: Pick<OperatorContext, 'options' | 'question'>): ChainOptions {
  const { beam, maxHops, stop, threshold } = options;
  const given = { ...(stop === 'threshold' && { threshold }), ...(question.scope && { filter: question.scope }) };
  return { beam, maxHops, stop, ...given };
}

/** Searches for a question, and with it for the queries of a plan; each is told with what it found. */
export async function firstLook(
  context: OperatorContext,
  step: Step,
  question: string,
  queries: readonly string[] = [],
): Promise<FirstLook> {
  const started = context.now();
  const { chains, hits, coverage, absent, repeated } = await context.ledger.chains(
    question,
    { ...chainOptions(context), ...(queries.length > 0 && { queries: [...queries] }) },
    context.signal,
  );
  if (!repeated) context.budget.addRetrieval();
  context.noteCoverage(coverage);
  const [chain = emptyChain] = chains;
  tellSearch(context, step, question, { hits, chain: chains[0] }, started);
  const byQuery = queries.map((query) => hits.filter((hit) => hit.query === query));
  for (const [i, query] of queries.entries()) tellSearch(context, step, query, { hits: byQuery[i] ?? [] }, started);
  const hops = chain.hops.map((hop) => hop.passage);
  // Each query was written for a purpose: its best hit is shown, however low the question itself ranks it.
  const best = [hits, ...byQuery].flatMap((list) => list.slice(0, 1));
  return {
    chain,
    passages: uniquePassages([...hops, ...[...best, ...hits].map((hit) => hit.passage)]),
    absent,
    note: unknownWords(absent?.map(({ text }) => text) ?? [], coverage, context.question.scope),
  };
}

function tellSearch(
  context: OperatorContext,
  step: Step,
  query: string,
  { hits, chain }: { hits: readonly SearchHit[]; chain?: PassageChain | undefined },
  started: number,
): void {
  const found = { query, hits: [...hits], ...(chain && { chain }) };
  context.emit({ type: 'passages-retrieved', ...step, ...found, milliseconds: context.now() - started });
}

const MOST_PLACES = 20;

/** One call of a tool: what was asked for, on one line, and what it found, or in words why it found nothing. */
interface Look {
  asked: string;
  result: ToolResult | string;
  tool: string;
  started: number;
  milliseconds: number;
}

/** Makes one call of a tool. What is wrong with it, and a failure, are told to the model. Rejects with AbortError. */
export async function lookUp(context: OperatorContext, call: ToolCall): Promise<Look> {
  const started = context.now();
  const look = (asked: string, result: Look['result']): Look => {
    return { asked, result, tool: call.name, started, milliseconds: context.now() - started };
  };
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    return look(call.name, `There is no tool ${JSON.stringify(call.name)}. There are: ${names}.`);
  }
  const input = tool.input.safeParse(argumentsOf(call));
  if (!input.success) {
    const problems = input.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return look(call.name, `${tool.name} does not take these arguments. ${problems.join(' ')}`);
  }
  const asked = tool.asked(input.data);
  try {
    return look(asked, await resultOf(context, tool, input.data));
  } catch (error) {
    if (isAbortError(error) || context.signal.aborted) throw error;
    return look(asked, reportError(error).message);
  }
}

/** Tells of a look and shows the model what it found; later looks of a turn do not repeat what earlier ones show. */
export async function showLook(
  context: OperatorContext,
  step: Step,
  view: EvidenceView,
  { asked, result, tool, started, milliseconds }: Look,
  room: Room,
): Promise<{ text: string; passages: readonly Passage[] }> {
  if (typeof result === 'string') return { text: result, passages: [] };
  context.ledger.add(result.passages);
  if (result.hits) {
    context.ledger.found(asked, result.hits, result.chain);
    tellSearch(context, step, asked, { hits: result.hits, chain: result.chain }, started);
  } else {
    const places = result.places.slice(0, MOST_PLACES).map((place) => ({ ...place }));
    context.emit({ type: 'tool-used', ...step, tool, asked, places, total: result.total, milliseconds });
  }
  return shown(context, view, asked, result, room);
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
  { text, note = '', hits, lines, chain, passages }: ToolResult,
  room: Room,
): Promise<{ text: string; passages: readonly Passage[] }> {
  if (hits) {
    const found = uniquePassages([...(chain?.hops.map((hop) => hop.passage) ?? []), ...hits.map((hit) => hit.passage)]);
    const seen = await view.show(asked, found, room, context.signal);
    return { text: seen.text === '' ? text : noted(note, seen.text), passages: seen.passages };
  }
  if (lines) return { text: view.lines(lines, room.tokens) || 'There is no room left to show it.', passages };
  return { text: noted(note, fenced(cutToTokens(escapeForPrompt(text), room.tokens))), passages };
}

/** A note stands outside of the fence: it is Hoptrail's own. */
const noted = (note: string, text: string): string => [note, text].filter(Boolean).join('\n\n');

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
