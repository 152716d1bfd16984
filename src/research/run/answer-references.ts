import type { FoundDefinition, FoundReference, Hop, Passage, PassageChain, ReferenceAnswer, TextSpan } from '#search';
import { throwIfCancelled } from '#base';
import { codeSpan } from '../answer/sanitise-text.ts';
import type { Answer, Citation, Statement } from '../domain/answer.ts';
import { emptyChain, withStep } from '../operators/operator.ts';
import { planOfIndex } from '../plan/plan-steps.ts';
import type { RunState } from './run-state.ts';
import { type Counted, referenceQuestion } from './reference-question.ts';
import { byFile, gapsOf, numberOf, placeInWords, placeItem, summaryOf, usersInWords } from './reference-text.ts';

/** Most places that an answer shows; the command line and the tool list more. */
const MOST_SHOWN = 200;
const MOST_HOPS = 6;
const MOST_OTHERS = 5;

/**
 * The answer to a question for the places that use one symbol, a complete list by file, or for the way from one to
 * another, step by step. Undefined where the question asks for something else, or of something that no program here
 * defines or names, or names like a word of a sentence and uses nowhere so: then the run goes on as usual.
 */
export async function answerFromReferences(run: RunState): Promise<Answer | undefined> {
  const { options, question, retriever, signal } = run;
  if (options.operator !== undefined || options.strategy.startsWith('fixed:')) return undefined;
  const asked = referenceQuestion(question.text);
  const { paths, ...others } = question.scope ?? {};
  if (!asked || Object.values(others).some((value) => value !== undefined)) return undefined;
  const { plain = [], isWord, counts, ...query } = asked;
  const found = await retriever.references({ ...query, ...(paths && { paths }) }, signal).catch((error: unknown) => {
    throwIfCancelled(error, signal);
    return undefined; // the usual way needs no references
  });
  if (!found) return undefined;
  if (!plain.every((name) => isCalledSo(found, name))) return undefined;
  if (found.definitions.length === 0 && found.total === 0) {
    const names = [asked.symbol, ...(asked.to === undefined ? [] : [asked.to])];
    if (found.near.length > 0) run.notice({ code: 'unknown-symbol', details: { names, near: [...found.near] } });
    return undefined;
  }
  if (found.total === 0 && isWord && query.kind !== 'definitions' && !found.route) return undefined;
  const reason = found.route
    ? 'It asks how one name leads to another.'
    : 'It asks where programs define or use a name.';
  run.emit({ type: 'plan-proposed', plan: planOfIndex(reason) });
  const stepId = run.nextStepId();
  const task = { stepId, operator: 'extractive' as const, question: question.text, dependsOn: [] };
  return withStep(run, task, async () => {
    const started = run.now();
    const answer = await listed(run, found, counts);
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

/** A word of the question is meant as a name where something that runs, or a way leads to or from, is called so. */
const isCalledSo = ({ definitions, route }: ReferenceAnswer, name: string): boolean =>
  route?.found !== 'none' &&
  route?.found !== 'meeting' &&
  definitions.some((one) => one.name.split('.').at(-1) === name && /^(?:function|method|class)$/.test(one.kind));

async function listed(run: RunState, found: ReferenceAnswer, counts?: Counted): Promise<Answer> {
  const passages = await run.retriever.passages(passagesOf(found), run.signal);
  run.ledger.add(passages);
  run.noteCoverage(found.coverage);
  return answerOfReferences(found, passages, counts);
}

/** Ids of what {@link answerOfReferences} has to be given. */
export const passagesOf = (found: ReferenceAnswer): string[] => [
  ...new Set(placesOf(found).map(({ passageId }) => passageId)),
];

const placesOf = ({ definitions, references }: ReferenceAnswer): (FoundDefinition | FoundReference)[] => [
  ...definitions,
  ...references.slice(0, MOST_SHOWN),
];

/** What was found as an answer, each place a citation. */
export function answerOfReferences(found: ReferenceAnswer, passages: Passage[], counts?: Counted): Answer {
  const { definitions, references } = found;
  const shown = references.slice(0, MOST_SHOWN);
  const places = placesOf(found);
  const citations = places.map(({ passageId, line, text }, i): Citation => ({
    number: i + 1,
    passageId,
    ...(text !== '' && { quote: text }),
    startLine: line,
    endLine: line,
  }));
  const marks = new Map<object, string>(places.map((place, i) => [place, `[${i + 1}]`]));
  const markOf = (place: object | undefined): string => (place && marks.get(place)) ?? '';
  const users = counts === 'users' ? usersInWords(found) : '';
  const summary = `**${summaryOf(found, codeSpan)}${users}**${citations.length > 0 ? ' [1]' : ''}`;
  const gaps = gapsOf({ ...found, references: shown });
  const text = [
    summary,
    ...(found.route ? wayInWords(found, markOf) : listInWords({ definitions, references: shown }, markOf)),
    ...(gaps.length > 0 ? [`*${gaps.join(' ')}*`] : []),
  ].join('\n\n');
  return {
    text,
    short: (counts && numberOf(found, counts)?.toString()) ?? shortOf(found),
    lead: { kind: 'answer', text: summary, citations: citations.slice(0, 1).map(({ number }) => number) },
    abstained: false,
    statements: places.map(({ text: line }, i): Statement => ({ text: line, citations: [i + 1], support: 'quote' })),
    citations,
    passages,
    ...(!found.route && { list: { definitions: definitions.length, gaps } }),
    chain: found.route ? wayAsChain(found, passages) : chainOf(found, passages),
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: [],
    by: 'extractive',
    coverage: found.coverage,
  };
}

/** Definitions, then places by file, each with its mark. */
function listInWords(
  { definitions, references }: Pick<ReferenceAnswer, 'definitions' | 'references'>,
  markOf: (place: object) => string,
): string[] {
  const definedAt = definitions.map(
    (place) => `- ${place.kind} ${codeSpan(place.name)}: ${codeSpan(place.signature ?? place.text)} ${markOf(place)}`,
  );
  return [
    ...(definedAt.length > 0 ? [`Defined here:\n\n${definedAt.join('\n')}`] : []),
    ...[...byFile(references)].map(
      ([path, inFile]) => `${codeSpan(path)}\n\n${inFile.map((place) => placeItem(place, markOf(place))).join('\n')}`,
    ),
  ];
}

/** Each step with the places of both of its ends; without a way the two ends. */
function wayInWords(
  { definitions, references, route }: ReferenceAnswer,
  markOf: (place: object | undefined) => string,
): string[] {
  if (references.length === 0) return listInWords({ definitions, references }, markOf);
  const steps = references.map((step, i) => {
    const next = definitions[i + 1];
    const isSame = next && next.path === step.path && next.line === step.line;
    const leads = next && !isSame ? `, defined in ${codeSpan(next.path)} on line ${next.line} ${markOf(next)}` : '';
    return `${i + 1}. ${placeInWords(step, markOf(step), ` of ${codeSpan(step.path)}`)}${leads}`;
  });
  const others = (route?.ambiguous ?? [])
    .slice(0, MOST_OTHERS)
    .map(({ name, path, line }) => `${codeSpan(name)} in ${codeSpan(path)} on line ${line}`);
  return [steps.join('\n'), ...(others.length > 0 ? [`Not on this way, and called alike: ${others.join(', ')}.`] : [])];
}

/** Who does it, by name, else where: what an evaluation compares. */
function shortOf({ query, definitions, references, route }: ReferenceAnswer): string {
  if (query.kind === 'reaches')
    return route?.found === 'forwards' || route?.found === 'backwards'
      ? definitions.map(({ name }) => name).join(' → ')
      : 'none';
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
      why: { kind: 'question', because: { code: 'defines-asked', what: defined.name }, terms: [defined.name] },
    });
  for (const reference of references) {
    const passage = byId.get(reference.passageId);
    if (hops.length >= MOST_HOPS) break;
    if (passage && !hops.some((hop) => hop.passage.id === passage.id))
      hops.push({
        passage,
        score: 0,
        why: {
          ...reasonOf(reference, start !== undefined),
          toSpan: spanOn(passage, reference.line, reference.to),
          ...(defined && start && { fromSpan: spanOn(start, defined.line, defined.name) }),
        },
      });
  }
  return hops.length === 0 ? emptyChain : { hops, score: 0, completeness: 1 };
}

/** The passages of a way in its order: where a step is made, and what it leads to. */
function wayAsChain({ definitions, references }: ReferenceAnswer, passages: readonly Passage[]): PassageChain {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const hops: Hop[] = [];
  // Both ends of a step are shown where the hop before is the passage of the other end.
  const add = (at: Named, why: Hop['why'], other?: Named): void => {
    const passage = byId.get(at.passageId);
    if (!passage || hops.some((hop) => hop.passage.id === at.passageId)) return;
    const before = hops.at(-1)?.passage;
    const fromSpan = other && before?.id === other.passageId ? spanOn(before, other.line, other.name) : undefined;
    const toSpan = other && spanOn(passage, at.line, at.name);
    hops.push({
      passage,
      score: 0,
      why: { ...why, ...(hops.length > 0 && { from: hops.length - 1 }), ...(fromSpan && { fromSpan, toSpan }) },
    });
  };
  const begins = ({ name }: FoundDefinition): Hop['why'] => ({
    kind: 'question',
    because: { code: 'defines-asked', what: name },
    terms: [name],
  });
  for (const end of references.length === 0 ? definitions : definitions.slice(0, 1)) add(end, begins(end));
  for (const [i, step] of references.entries()) {
    const { because, terms } = reasonOf(step, true);
    const place = { ...step, name: step.to };
    add(place, { kind: 'link', because, terms }, definitions[i]);
    const next = definitions[i + 1];
    if (next) add(next, { kind: 'link', because, terms }, place);
  }
  return hops.length === 0 ? emptyChain : { hops, score: 0, completeness: 1 };
}

type Named = Pick<FoundDefinition, 'name' | 'passageId' | 'line'>;

/** Where a line of a passage has the last part of a name; the line itself where it has none. */
function spanOn({ text, startLine }: Passage, line: number, name: string): TextSpan | undefined {
  const lines = text.split('\n');
  const row = lines[line - startLine];
  if (row === undefined) return undefined;
  const before = lines.slice(0, line - startLine).reduce((sum, { length }) => sum + length + 1, 0);
  const word = name.split('.').at(-1) ?? '';
  const at = word === '' ? -1 : row.indexOf(word);
  return at < 0
    ? { start: before + row.length - row.trimStart().length, end: before + row.trimEnd().length }
    : { start: before + at, end: before + at + word.length };
}

const reasonOf = ({ from, to, relation, line, path }: FoundReference, hasStart: boolean): Hop['why'] => ({
  kind: hasStart ? 'backlink' : 'question',
  because: { code: relation === 'types' ? 'names-type' : relation, who: from || path, what: to, line },
  terms: [to],
  ...(hasStart && { from: 0 }),
});
