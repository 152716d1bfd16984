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
import { withoutTrailing } from '../text/trim.ts';
import { findRoute } from './find-route.ts';
import { isCertain } from './join-names.ts';
import { type PlacedDefinition, qualifiedName } from './program.ts';
import { type Edge, type ReferenceGraph, RELATIONS } from './reference-graph.ts';

/** Most places that one answer lists; all are counted. */
const MOST_REFERENCES = 1_000;
const MOST_POSSIBLE = 50;
const MOST_DEFINITIONS = 50;
const LONGEST_LINE = 300;

/** Answers by the references that the index holds. The text of each line comes from its passage. */
export async function findReferences(
  index: Pick<PassageIndex, 'references' | 'read' | 'coverage'>,
  query: ReferenceQuery,
  signal?: AbortSignal,
): Promise<ReferenceAnswer> {
  const read = Promise.all([index.references(), index.coverage()]);
  const [graph, coverage] = await (signal ? unlessAborted(read, signal) : read);
  const nothing: ReferenceAnswer = { ...noReferences(query, coverage), complete: !coverage.indexing };
  if (!graph) return { ...nothing, complete: false };
  if (query.kind === 'reaches') return withTexts(index, await lookForRoute(graph, query, nothing, signal), signal);
  const found = look(graph, query);
  const inScope = <T extends { path: string }>(places: readonly T[]): T[] =>
    places.filter(({ path }) => liesIn(path, query.paths));
  const [inside, possible, named] = [inScope(found.references), inScope(found.possible), inScope(found.named).length];
  const answer: ReferenceAnswer = {
    ...nothing,
    definitions: found.definitions.slice(0, MOST_DEFINITIONS).map(toDefinition),
    references: inside.slice(0, MOST_REFERENCES),
    total: inside.length,
    files: new Set(inside.map(({ path }) => path)).size,
    possible: possible.slice(0, MOST_POSSIBLE),
    possibleTotal: possible.length,
    ...(named > 0 && { named }),
    isCommon: found.isCommon,
    near: found.definitions.length === 0 && inside.length === 0 ? graph.near(query.symbol) : [],
    cutFiles: inScope([...graph.program.files.values()].filter(({ cut }) => cut)).map(({ path }) => path),
    unread: graph.unread.filter((path) => liesIn(path, query.paths)).length,
  };
  return withTexts(index, answer, signal);
}

async function lookForRoute(
  graph: ReferenceGraph,
  { symbol, to = '', paths }: ReferenceQuery,
  nothing: ReferenceAnswer,
  signal: AbortSignal | undefined,
): Promise<ReferenceAnswer> {
  const way = await findRoute(graph, symbol, to, (path) => liesIn(path, paths), signal);
  if (!way) {
    const unknown = [symbol, to].filter((name) => graph.definitionsOf(name).length === 0);
    return { ...nothing, near: unknown.flatMap((name) => graph.near(name)) };
  }
  const { found, reached } = way;
  return {
    ...nothing,
    definitions: way.definitions.slice(0, MOST_DEFINITIONS).map(toDefinition),
    references: way.steps.map(toReference),
    route: { found, reached, ambiguous: way.ambiguous.slice(0, MOST_DEFINITIONS).map(toDefinition) },
    total: way.steps.length,
    files: new Set(way.steps.map(({ path }) => path)).size,
  };
}

interface Found {
  definitions: readonly PlacedDefinition[];
  references: FoundReference[];
  possible: FoundReference[];
  /** Names it as a value, where it is asked who calls it. */
  named: FoundReference[];
  isCommon: boolean;
}

function look(graph: ReferenceGraph, { symbol, kind }: ReferenceQuery): Found {
  const nothing: Found = { definitions: [], references: [], possible: [], named: [], isCommon: false };
  if (kind === 'keys') {
    // `const PORT = process.env.PORT` also defines something that is called so: who asks for the string means that.
    const strings = withoutDefinition(graph, symbol, kind);
    if (strings.length > 0) return { ...nothing, definitions: graph.settingsOf(symbol), references: strings };
  }
  const definitions = graph.definitionsOf(symbol);
  if (kind === 'definitions') return { ...nothing, definitions };
  if (definitions.length === 0) return { ...nothing, references: withoutDefinition(graph, symbol, kind) };
  const edges =
    kind === 'callees'
      ? definitions.flatMap((one) => graph.edgesFrom(one)).filter(({ relation }) => relation === 'calls')
      : graph.usesOf(definitions, kind);
  const named = kind === 'calls' ? graph.usesOf(definitions, 'reads') : [];
  return {
    definitions,
    references: once(edges.filter(isCertain).map(toReference)),
    possible: once(edges.filter((edge) => !isCertain(edge)).map(toReference)),
    named: once(named.filter(isCertain).map(toReference)),
    isCommon: OF_VALUES.has(kind) && definitions.some((one) => one.container !== '' && isCommonName(one.name)),
  };
}

/** Kinds of which uses of a member may be, through a value of which nothing is known. */
const OF_VALUES: ReadonlySet<ReferenceKind> = new Set(['uses', 'calls', 'reads', 'sets', 'tests']);

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

/** What no file defines may be a string, a thrown text, a file, or a name from outside. */
function withoutDefinition(graph: ReferenceGraph, symbol: string, kind: ReferenceKind): FoundReference[] {
  const place = { from: '', text: '', confidence: 1 };
  if (kind === 'imports')
    return graph
      .importsOfFile(symbol)
      .map(({ target, ...at }) => ({ ...place, ...at, relation: 'imports', to: target }));
  const wanted = WITHOUT_DEFINITION[kind] ?? [];
  const plain = symbol.replace(/^[`'"]|[`'"]$/g, '');
  const [name = '', above] = plain
    .replace(/\(\)?$/, '')
    .split(/\.|::|#|->/)
    .reverse();
  // `Search::find` of what nothing here defines is not every `find`.
  const outside = (graph.program.uses.get(name) ?? []).filter(
    (use) => use.kind !== 'key' && (above === undefined || use.receiver.replace('^', '').split('.').at(-1) === above),
  );
  const uses = new Set([...graph.keyUses(plain), ...outside].filter((use) => wanted.includes(use.kind)));
  return once(
    [...uses]
      .filter(({ file, within }) => kind !== 'tests' || graph.isInTest({ path: file.path, from: within }))
      .map((use) => ({
        ...place,
        relation: RELATIONS[use.kind],
        path: use.file.path,
        line: use.line,
        passageId: use.passageId,
        from: use.within ? qualifiedName(use.within) : '',
        to: use.name,
      })),
  );
}

const toDefinition = (definition: PlacedDefinition): FoundDefinition => ({
  name: qualifiedName(definition),
  kind: definition.kind,
  path: definition.file.path,
  line: definition.line,
  endLine: definition.endLine,
  passageId: definition.passageId,
  text: '',
});

const toReference = ({ from, to, ...edge }: Edge): FoundReference => ({
  ...edge,
  from: from ? qualifiedName(from) : '',
  to: qualifiedName(to),
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
  const linesFrom = ({ passageId, line }: { passageId: string; line: number }): string[] => {
    const passage = passages.get(passageId);
    return passage?.text.split('\n').slice(line - passage.startLine) ?? [];
  };
  const filled = <T extends FoundReference>(place: T): T => ({
    ...place,
    text: cutTo(linesFrom(place)[0]?.trim() ?? '', LONGEST_LINE),
  });
  return {
    ...answer,
    definitions: answer.definitions.map((place) => {
      const lines = linesFrom(place).slice(0, 1 + place.endLine - place.line);
      const signature = cutTo(signatureOf(lines), LONGEST_LINE);
      const text = cutTo(lines[0]?.trim() ?? '', LONGEST_LINE);
      return { ...place, text, ...(HAS_BODY.test(place.kind) && signature !== '' && { signature }) };
    }),
    references: answer.references.map(filled),
    possible: answer.possible.map(filled),
  };
}

const HAS_BODY = /^(?:function|method|class|interface|declaration)$/;
const MOST_LINES = 40;

/** The lines of a definition up to where its brackets are closed, as one, without its body. */
function signatureOf(lines: readonly string[]): string {
  let [whole, open, closed] = ['', 0, 0];
  for (const line of lines.slice(0, MOST_LINES)) {
    for (const character of `${line.trim()} `) {
      open += '(['.includes(character) ? 1 : ')]'.includes(character) ? -1 : 0;
      whole += character;
      if (open === 0 && closed === 0 && ')]'.includes(character)) closed = whole.length;
    }
    if (open <= 0) break;
  }
  const head = whole
    .slice(0, closed)
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1');
  const rest = whole.slice(closed);
  const body = rest.search(/\s(?:=>?|\{)(?=\s|$)/);
  return withoutTrailing(head + (body < 0 ? rest : rest.slice(0, body)), /[:;,\s]/).trim();
}
