import type { ReferenceKind, FoundReference, Hop, Passage, PassageChain, ReferenceAnswer } from '#search';
import { isAbortError } from '#base';
import { codeSpan } from '../answer/sanitise-text.ts';
import type { Answer, Citation, Statement } from '../domain/answer.ts';
import { emptyChain, withStep } from '../operators/operator.ts';
import type { RunState } from './run-state.ts';
import { byFile, gapsOf, placeItem, RELATIONS, summaryOf } from './reference-text.ts';

/** A question that the references between files answer outright. */
interface ReferenceQuestion {
  symbol: string;
  kind: ReferenceKind;
}

/** What a verb asks for, by the beginning of its forms. */
const VERBS: readonly [RegExp, ReferenceKind][] = [
  [/^(?:call|invok)/, 'calls'],
  [/^(?:instantiat|construct|creat)/, 'calls'],
  [/^(?:us(?:e|es|ed|ing)$|referenc|refer |refers |depend|need|mention)/, 'uses'],
  [/^(?:implement|extend|subclass|inherit)/, 'implements'],
  [/^overr/, 'overrides'],
  [/^import/, 'imports'],
  [/^(?:throw|rais)/, 'throws'],
  [/^(?:set|sets|assign|writ|chang)/, 'sets'],
  [/^(?:read|reads)$/, 'reads'],
  [/^(?:defin|declar)/, 'definitions'],
  [/^(?:register|subscrib|handl|emit)/, 'uses'],
  [/^(?:test|cover|exercis)/, 'tests'],
];

const NOUNS: readonly [RegExp, ReferenceKind][] = [
  [/^callers?$/, 'calls'],
  [/^calls?$/, 'calls'],
  [/^(?:uses?|usages?|references?|users?)$/, 'uses'],
  [/^(?:implementations?|implementers?|implementors?|subclass(?:es)?)$/, 'implements'],
  [/^overrides?$/, 'overrides'],
  [/^(?:imports?|importers?)$/, 'imports'],
  [/^(?:definitions?|declarations?)$/, 'definitions'],
  [/^tests?$/, 'tests'],
];

const VERB =
  '(calls?|calling|invokes?|instantiates?|constructs?|creates?|uses?|using|references?|refers? to|depends? on|implements?|extends?|subclass(?:es)?|inherits? from|overrides?|imports?|throws?|raises?|sets?|assigns?|reads?|registers?|tests?|covers?|exercises?)';
const PARTICIPLE =
  '(called|invoked|instantiated|constructed|created|used|referenced|implemented|extended|subclassed|overridden|imported|thrown|raised|set|assigned|read|defined|declared|registered|subscribed|handled|emitted|tested|covered)';
const KIND =
  '(?:function|method|class|interface|type|trait|constant|variable|field|module|file|error|event|setting|symbol)';
/** Backticked or quoted, or one word that a program could hold. */
const SYMBOL = `(?:the )?(?:${KIND} )?(\`[^\`]+\`|"[^"]+"|'[^']+'|“[^”]+”|[\\w$@#][\\w$.:#>/-]*(?:\\(\\))?)(?: ${KIND})?`;

const who = new RegExp(
  `^(?:who|what|what code|which \\w{1,20}(?: \\w{1,20})?)(?: all| else)?(?: is| are| do| does)? ${VERB} ${SYMBOL}$`,
  'i',
);
const where = new RegExp(
  `^where(?: all| else)? (?:is|are|do we|does it|does the code|gets?) ${SYMBOL}(?: being| getting)? ${PARTICIPLE}$`,
  'i',
);
const callees = new RegExp(`^(?:what|which (?:functions|methods)) does ${SYMBOL} (?:call|invoke|use)$`, 'i');
const list = new RegExp(
  `^(?:please )?(?:list|show|show me|find|name|give me|what are|who are)(?: all)?(?: the)?(?: of the)? (\\w{3,20}) (?:of|for|to) ${SYMBOL}$`,
  'i',
);

/**
 * Whether a question asks for the places that call, use, implement, set, … one symbol, and for nothing else; undefined
 * where it asks for more, or something else.
 */
export function referenceQuestion(question: string): ReferenceQuestion | undefined {
  const asked = question
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?.!]{1,3}$/, '')
    .trim();
  if (asked.length > 240) return undefined;
  const inTests = asked.replace(/ in (?:the )?tests$/i, '');
  const found = bare(inTests);
  return found && inTests !== asked ? { ...found, kind: 'tests' } : found;
}

function bare(asked: string): ReferenceQuestion | undefined {
  const called = callees.exec(asked);
  if (called?.[1]) return { symbol: named(called[1]), kind: 'callees' };
  const doing = who.exec(asked);
  if (doing?.[1] && doing[2]) {
    const kind = kindOf(VERBS, doing[1]);
    return kind && { symbol: named(doing[2]), kind: /^which (?:unit )?tests?\b/i.test(asked) ? 'tests' : kind };
  }
  const done = where.exec(asked);
  if (done?.[1] && done[2]) {
    const kind = kindOf(VERBS, done[2]);
    return kind && { symbol: named(done[1]), kind };
  }
  const listed = list.exec(asked);
  if (listed?.[1] && listed[2]) {
    const kind = kindOf(NOUNS, listed[1]);
    return kind && { symbol: named(listed[2]), kind };
  }
  return undefined;
}

const kindOf = (table: typeof VERBS, word: string): ReferenceKind | undefined =>
  table.find(([form]) => form.test(word.toLowerCase()))?.[1];

const named = (written: string): string => written.replace(/^[`"'“]|[`"'”]$/g, '').trim();

/** Most places that an answer shows; the command line and the tool list more. */
const MOST_SHOWN = 200;
const MOST_HOPS = 6;

/**
 * The answer to a question for the places that use one symbol: a complete list, by file. Undefined where the question
 * asks for something else, or of something that no program here defines or names: then the run goes on as usual.
 */
export async function answerFromReferences(run: RunState): Promise<Answer | undefined> {
  const { options, question, retriever, signal } = run;
  if (options.operator !== undefined || options.strategy.startsWith('fixed:')) return undefined;
  const asked = referenceQuestion(question.text);
  const { paths, ...others } = question.scope ?? {};
  if (!asked || Object.values(others).some((value) => value !== undefined)) return undefined;
  const found = await retriever.references({ ...asked, ...(paths && { paths }) }, signal).catch((error: unknown) => {
    if (isAbortError(error) || signal.aborted) throw error;
    return undefined; // the usual way needs no references
  });
  if (!found) return undefined;
  if (found.definitions.length === 0 && found.total === 0) {
    if (found.near.length > 0)
      run.notice(
        'unknown-symbol',
        `Nothing that is read as code defines “${asked.symbol}”. Names like it: ${found.near.join(', ')}.`,
      );
    return undefined;
  }
  const stepId = run.nextStepId();
  const task = { stepId, operator: 'extractive' as const, question: question.text, dependsOn: [] };
  return withStep(run, task, async () => {
    const started = run.now();
    const answer = await listed(run, found);
    run.emit({
      type: 'passages-retrieved',
      stepId,
      query: question.text,
      hits: answer.passages.map((passage) => ({ passage, score: 0, folded: [], parts: {} })),
      chain: answer.chain,
      milliseconds: run.now() - started,
    });
    return { outcome: 'answered', value: answer };
  });
}

async function listed(run: RunState, found: ReferenceAnswer): Promise<Answer> {
  const { query, definitions, references } = found;
  const name = codeSpan(query.symbol);
  const shown = references.slice(0, MOST_SHOWN);
  const places = [...definitions, ...shown];
  const passages = await run.retriever.passages([...new Set(places.map(({ passageId }) => passageId))], run.signal);
  run.ledger.add(passages);
  run.noteCoverage(found.coverage);
  const citations = places.map(({ passageId, line, text }, i): Citation => ({
    number: i + 1,
    passageId,
    ...(text !== '' && { quote: text }),
    startLine: line,
    endLine: line,
  }));
  const marks = new Map(places.map((place, i) => [place, `[${i + 1}]`]));
  const summary = `**${summaryOf(found, name)}**${citations.length > 0 ? ' [1]' : ''}`;
  const definedAt = definitions.map(
    (place) => `- ${place.kind} ${codeSpan(place.name)}: ${codeSpan(place.text)} ${marks.get(place) ?? ''}`,
  );
  const files = [...byFile(shown)].flatMap(([path, inFile]) => [
    `${codeSpan(path)}\n\n${inFile.map((place) => placeItem(place, marks.get(place) ?? '')).join('\n')}`,
  ]);
  const gaps = gapsOf({ ...found, references: shown });
  const text = [
    summary,
    ...(definedAt.length > 0 ? [`Defined here:\n\n${definedAt.join('\n')}`] : []),
    ...files,
    ...(gaps.length > 0 ? [`*${gaps.join(' ')}*`] : []),
  ].join('\n\n');
  return {
    text,
    short: shortOf(found),
    lead: { kind: 'answer', text: summary, citations: citations.slice(0, 1).map(({ number }) => number) },
    abstained: false,
    statements: places.map(({ text: line }, i): Statement => ({ text: line, citations: [i + 1], support: 'quote' })),
    citations,
    passages,
    chain: chainOf(found, passages),
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: [],
    by: 'extractive',
    coverage: found.coverage,
  };
}

/** Who does it, by name, else where: what an evaluation compares. */
function shortOf({ query, definitions, references }: ReferenceAnswer): string {
  const names =
    query.kind === 'definitions'
      ? definitions.map(({ path, line }) => `${path}:${line}`)
      : references.map(({ from, to, path }) => (query.kind === 'callees' ? to : from === '' ? path : from));
  return [...new Set(names)].slice(0, 20).join(', ') || 'none';
}

/** The definition, then places that use it, each of another passage: what can be walked. */
function chainOf({ definitions, references }: ReferenceAnswer, passages: readonly Passage[]): PassageChain {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const hops: Hop[] = [];
  const [defined] = definitions;
  const start = defined && byId.get(defined.passageId);
  if (defined && start)
    hops.push({
      passage: start,
      score: 0,
      why: { kind: 'question', text: `defines “${defined.name}”`, terms: [defined.name] },
    });
  for (const reference of references) {
    const passage = byId.get(reference.passageId);
    if (hops.length >= MOST_HOPS) break;
    if (passage && !hops.some((hop) => hop.passage.id === passage.id))
      hops.push({ passage, score: 0, why: reasonOf(reference, start !== undefined) });
  }
  return hops.length === 0 ? emptyChain : { hops, score: 0, completeness: 1 };
}

const reasonOf = ({ from, to, relation, line, path }: FoundReference, hasStart: boolean): Hop['why'] => ({
  kind: hasStart ? 'backlink' : 'question',
  text: `“${from || path}” ${RELATIONS[relation]} “${to}” on line ${line}`,
  terms: [to],
  ...(hasStart && { from: 0 }),
});
