import { cutTo, unlessAborted } from '#base';
import {
  type FoundDefinition,
  type FoundReference,
  noReferences,
  type ReferenceAnswer,
  type ReferenceKind,
  type ReferenceQuery,
} from '../domain/reference-answer.ts';
import { liesIn } from '../domain/path-filter.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import { isCommonName } from '../reading/code/symbol-links.ts';
import { findRoute } from './find-route.ts';
import { type PlacedDefinition, qualifiedName } from './program.ts';
import { signatureOf } from './signature.ts';
import { type Edge, isCertain, type ReferenceGraph, RELATIONS } from './reference-graph.ts';

/** Most places that one answer lists; all are counted. */
const MOST_REFERENCES = 1_000;
const MOST_POSSIBLE = 50;
const MOST_DEFINITIONS = 50;

/** Answers by the references that the index holds. The text of each line comes from its passage. */
export async function findReferences(
  index: Pick<PassageIndex, 'references' | 'read' | 'coverage'>,
  query: ReferenceQuery,
  signal?: AbortSignal,
): Promise<ReferenceAnswer> {
  const read = Promise.all([index.references(), index.coverage()]);
  const [graph, coverage] = await (signal ? unlessAborted(read, signal) : read);
  const nothing = noReferences(query, coverage);
  if (!graph) return nothing;
  if (query.kind === 'reaches') return withTexts(index, await lookForRoute(graph, query, nothing, signal), signal);
  const found = look(graph, query);
  const inside = found.references.filter(({ path }) => liesIn(path, query.paths));
  const possible = found.possible.filter(({ path }) => liesIn(path, query.paths));
  const named = found.named.filter(({ path }) => liesIn(path, query.paths)).length;
  const answer: ReferenceAnswer = {
    ...nothing,
    definitions: found.definitions.slice(0, MOST_DEFINITIONS),
    references: inside.slice(0, MOST_REFERENCES),
    total: inside.length,
    files: new Set(inside.map(({ path }) => path)).size,
    possible: possible.slice(0, MOST_POSSIBLE),
    possibleTotal: possible.length,
    ...(named > 0 && { named }),
    isCommon: found.isCommon,
    near: found.definitions.length === 0 && inside.length === 0 ? graph.near(query.symbol) : [],
    cutFiles: [...graph.program.files.values()]
      .filter(({ cut, path }) => cut && liesIn(path, query.paths))
      .map(({ path }) => path),
    complete: !coverage.indexing,
  };
  return withTexts(index, answer, signal);
}

async function lookForRoute(
  graph: ReferenceGraph,
  { symbol, to = '', paths }: ReferenceQuery,
  nothing: ReferenceAnswer,
  signal: AbortSignal | undefined,
): Promise<ReferenceAnswer> {
  const complete = !nothing.coverage.indexing;
  const way = await findRoute(graph, symbol, to, (path) => liesIn(path, paths), signal);
  if (!way) {
    const near = [symbol, to].flatMap((name) => (graph.definitionsOf(name).length > 0 ? [] : graph.near(name)));
    return { ...nothing, near, complete };
  }
  const { found, reached } = way;
  return {
    ...nothing,
    definitions: way.definitions.slice(0, MOST_DEFINITIONS).map(toDefinition),
    references: way.steps.map(toReference),
    route: { found, reached, ambiguous: way.ambiguous.slice(0, MOST_DEFINITIONS).map(toDefinition) },
    total: way.steps.length,
    files: new Set(way.steps.map(({ path }) => path)).size,
    complete,
  };
}

interface Found {
  definitions: FoundDefinition[];
  references: FoundReference[];
  possible: FoundReference[];
  /** Names it as a value, where it is asked who calls it. */
  named: FoundReference[];
  isCommon: boolean;
}

const NOTHING: Found = { definitions: [], references: [], possible: [], named: [], isCommon: false };

function look(graph: ReferenceGraph, { symbol, kind }: ReferenceQuery): Found {
  if (kind === 'keys') {
    // `const PORT = process.env.PORT` also defines something that is called so: who asks for the string means that.
    const strings = withoutDefinition(graph, symbol, kind);
    if (strings.length > 0)
      return { ...NOTHING, definitions: graph.settingsOf(symbol).map(toDefinition), references: strings };
  }
  const targets = graph.definitionsOf(symbol);
  const nothing = { ...NOTHING, definitions: targets.map(toDefinition) };
  if (kind === 'definitions') return nothing;
  if (targets.length === 0) return { ...nothing, references: withoutDefinition(graph, symbol, kind) };
  const edges = kind === 'callees' ? targets.flatMap((target) => graph.calleesOf(target)) : graph.usesOf(targets, kind);
  const certain = edges.filter(isCertain);
  const unsure = edges.filter((edge) => !isCertain(edge));
  const possible = kind === 'callees' ? unsure : [...unsure, ...graph.possibleUsesOf(targets, kind)];
  return {
    ...nothing,
    references: once(certain.map(toReference)),
    possible: once(possible.map(toReference)),
    named: kind === 'calls' ? once(graph.usesOf(targets, 'reads').filter(isCertain).map(toReference)) : [],
    isCommon: OF_VALUES.has(kind) && targets.some(({ name, container }) => container !== '' && isCommonName(name)),
  };
}

/** Kinds of which uses of a member may be, through a value of which nothing is known. */
const OF_VALUES: ReadonlySet<ReferenceKind> = new Set(['uses', 'calls', 'reads', 'sets', 'tests']);

/** What no file defines may be a string, a thrown text, a file, or a name from outside. */
function withoutDefinition(graph: ReferenceGraph, symbol: string, kind: ReferenceKind): FoundReference[] {
  const place = { from: '', text: '', confidence: 1 };
  if (kind === 'imports')
    return graph.importsOfFile(symbol).map(({ target, file, line, passageId }) => ({
      ...place,
      relation: 'imports',
      path: file,
      line,
      passageId,
      to: target,
    }));
  const wanted = WITHOUT_DEFINITION[kind];
  if (!wanted) return [];
  const parts = symbol.replace(/\(\)?$|^[`'"]|[`'"]$/g, '').split(/\.|::|#|->/);
  const name = parts.pop() ?? '';
  const above = parts.pop();
  // `Search::find` of what nothing here defines is not every `find`.
  const isOfIt = ({ receiver }: { receiver: string }): boolean =>
    above === undefined || receiver.replace('^', '').split(/[.:]/).at(-1) === above;
  const outside = (graph.program.uses.get(name) ?? []).filter(
    (use) => wanted.includes(use.kind) && use.kind !== 'key' && isOfIt(use),
  );
  const keys = graph.keyUses(symbol.replace(/^[`'"]|[`'"]$/g, '')).filter((use) => wanted.includes(use.kind));
  return once(
    [...new Set([...keys, ...outside])]
      .filter((use) => kind !== 'tests' || graph.isInTest(use.file.path, use.line))
      .map((use) => ({
        ...place,
        relation: RELATIONS[use.kind],
        path: use.file.path,
        line: use.line,
        passageId: use.passageId,
        from: nameOf(graph.program.around(use.file, use.line)),
        to: use.name,
      })),
  );
}

/** Kinds of uses that may speak of what the workspace does not define. */
const WITHOUT_DEFINITION: Readonly<Partial<Record<ReferenceKind, readonly string[]>>> = {
  uses: ['key', 'throw', 'call', 'extends', 'implements', 'set', 'type', 'read'],
  tests: ['key', 'throw', 'call', 'read'],
  calls: ['call'],
  implements: ['extends', 'implements'],
  types: ['type', 'extends', 'implements'],
  reads: ['key', 'read'],
  sets: ['set', 'key'],
  throws: ['throw'],
  keys: ['key', 'throw'],
  documents: ['mention'],
};
const nameOf = (definition: PlacedDefinition | undefined): string => (definition ? qualifiedName(definition) : '');

const toDefinition = (definition: PlacedDefinition): FoundDefinition => ({
  name: qualifiedName(definition),
  kind: definition.kind,
  path: definition.file.path,
  line: definition.line,
  endLine: definition.endLine,
  passageId: definition.passageId,
  text: '',
});

const toReference = ({ relation, path, line, passageId, from, to, confidence }: Edge): FoundReference => ({
  relation,
  path,
  line,
  passageId,
  from: nameOf(from),
  to: qualifiedName(to),
  confidence,
  text: '',
});

/** A line that does the same twice stands once, as the surest. */
function once(references: readonly FoundReference[]): FoundReference[] {
  const best = new Map<string, FoundReference>();
  for (const reference of references) {
    const key = `${reference.path}\n${reference.line}\n${reference.relation}\n${reference.to}`;
    const known = best.get(key);
    if (!known || known.confidence < reference.confidence) best.set(key, reference);
  }
  return [...best.values()];
}

async function withTexts(
  index: Pick<PassageIndex, 'read'>,
  answer: ReferenceAnswer,
  signal: AbortSignal | undefined,
): Promise<ReferenceAnswer> {
  const places = [...answer.definitions, ...answer.references, ...answer.possible];
  const ids = [...new Set(places.map(({ passageId }) => passageId))];
  const read = await index.read(
    ids.map((id) => ({ id, embedded: false })),
    { vectors: false },
  );
  const passages = new Map(read.map((passage) => [passage.id, passage]));
  signal?.throwIfAborted();
  const filled = <T extends { passageId: string; line: number; text: string }>(place: T): T => {
    const passage = passages.get(place.passageId);
    const text = passage?.text.split('\n')[place.line - passage.startLine] ?? '';
    return { ...place, text: cutTo(text.trim(), LONGEST_LINE) };
  };
  return {
    ...answer,
    definitions: answer.definitions.map((place) => {
      const { text, startLine = 0 } = passages.get(place.passageId) ?? {};
      const lines = text?.split('\n').slice(place.line - startLine, place.endLine - startLine + 1) ?? [];
      const signature = signatureOf(place.kind, lines, LONGEST_LINE);
      return { ...filled(place), ...(signature !== '' && { signature }) };
    }),
    references: answer.references.map(filled),
    possible: answer.possible.map(filled),
  };
}

const LONGEST_LINE = 300;
