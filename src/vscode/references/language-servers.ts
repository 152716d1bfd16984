import * as vscode from 'vscode';
import { baseName } from '#base';
import {
  type FoundReference,
  type IndexCoverage,
  type IndexService,
  noReferences,
  type Passage,
  type ReferenceAnswer,
  type ReferenceQuery,
  type ReferenceRelation,
  type Retriever,
} from '#search';
import { shownPath } from '../index/workspace-roots.ts';

/** Who made a list of references. */
export type ReferenceSource = 'language-server' | 'index';

/** Definitions that are asked about; names with more of them say too little. */
const MOST_DEFINITIONS = 5;
const MOST_PLACES = 500;
/** A way between two symbols is looked for in so many steps, over so many symbols. */
const MOST_STEPS = 6;
const MOST_VISITED = 300;
/** Milliseconds for the language servers; a server that still starts leaves the question to the index. */
const PATIENCE_MS = 8000;

/**
 * A retriever whose references come from the editor's language servers, and from the index where no server knows the
 * symbol. `tell` hears which of them answered, before the answer is returned.
 */
export function withLanguageServers(
  retriever: Retriever,
  index: Pick<IndexService, 'passagesOf'>,
  tell: (source: ReferenceSource) => void,
): Retriever {
  return {
    ...retriever,
    references: async (query, signal) => {
      const places = await inTime(placesOf(query));
      const found = places && (await answerOf(query, places, index));
      signal?.throwIfAborted();
      if (!found) {
        tell('index');
        return retriever.references(query, signal);
      }
      tell('language-server');
      return found;
    },
  };
}

/** A place in a file of this workspace. Lines are 1-based. */
interface Place {
  path: string;
  uri: vscode.Uri;
  line: number;
  endLine: number;
  relation: ReferenceRelation;
  from: string;
  to: string;
}

interface Places {
  definitions: Place[];
  references: Place[];
}

/** Undefined where the servers know nothing of the symbol, or cannot tell what is asked. */
async function placesOf(query: ReferenceQuery): Promise<Places | undefined> {
  const symbols = await symbolsNamed(query.symbol);
  if (symbols.length === 0 || symbols.length > MOST_DEFINITIONS) return undefined;
  const name = query.symbol;
  const definitions = symbols.flatMap(({ location, name: own }) => place(location, 'defines', '', own));
  switch (query.kind) {
    case 'definitions':
      return { definitions, references: [] };
    case 'uses': {
      const locations = await each(symbols, (at) => list<vscode.Location>('vscode.executeReferenceProvider', at));
      const uses = locations.flatMap((location) => place(location, 'reads', '', name));
      return isKnown({ definitions, references: without(uses, definitions) });
    }
    case 'implements': {
      const locations = await each(symbols, (at) => list<vscode.Location>('vscode.executeImplementationProvider', at));
      const found = locations.flatMap((location) => place(location, 'implements', '', name));
      return isKnown({ definitions, references: without(found, definitions) });
    }
    case 'calls': {
      const items = await each(symbols, itemsAt);
      const calls = await each(items, (item) =>
        list<vscode.CallHierarchyIncomingCall>('vscode.provideIncomingCalls', item),
      );
      const references = calls.flatMap(({ from, fromRanges }) =>
        fromRanges.flatMap((range) => place({ uri: from.uri, range }, 'calls', from.name, name)),
      );
      return isKnown({ definitions, references });
    }
    case 'callees': {
      const items = await each(symbols, itemsAt);
      const references = (await each(items, stepsFrom)).map(({ place: at }) => at);
      return isKnown({ definitions, references });
    }
    case 'reaches':
      return query.to === undefined ? undefined : wayTo(await each(symbols, itemsAt), query.to);
    default:
      return undefined;
  }
}

/** Nothing found by a server may mean that it does not look: the index is asked then. */
const isKnown = (places: Places): Places | undefined => (places.references.length > 0 ? places : undefined);

interface Named {
  name: string;
  location: vscode.Location;
}

/** Symbols of the workspace that are called so: `merge`, `Store.merge`, `Store::merge`. */
async function symbolsNamed(symbol: string): Promise<Named[]> {
  const parts = symbol.replace(/\(\)$/, '').split(/::|->|[.#]/);
  const [container, name] = [parts.at(-2), parts.at(-1) ?? ''];
  if (name === '') return [];
  const found = await list<vscode.SymbolInformation>('vscode.executeWorkspaceSymbolProvider', name);
  return found.filter(
    (one) =>
      beforeParameters(one.name) === name &&
      (container === undefined || one.containerName.split(/::|[.#]/).at(-1) === container) &&
      shownPath(one.location.uri) !== undefined,
  );
}

const itemsAt = (symbol: Named): Promise<vscode.CallHierarchyItem[]> =>
  list<vscode.CallHierarchyItem>('vscode.prepareCallHierarchy', symbol);

/** A call that a function makes, and what it calls. */
interface Step {
  place: Place;
  to: vscode.CallHierarchyItem;
}

async function stepsFrom(item: vscode.CallHierarchyItem): Promise<Step[]> {
  const calls = await list<vscode.CallHierarchyOutgoingCall>('vscode.provideOutgoingCalls', item);
  return calls.flatMap(({ to, fromRanges: [range] }) =>
    range === undefined || shownPath(to.uri) === undefined
      ? []
      : place({ uri: item.uri, range }, 'calls', item.name, to.name).map((at) => ({ place: at, to })),
  );
}

/** The shortest way along calls, breadth first. */
async function wayTo(starts: readonly vscode.CallHierarchyItem[], to: string): Promise<Places | undefined> {
  const [target] = await symbolsNamed(to);
  if (!target) return undefined;
  const keyOf = ({ uri, selectionRange }: vscode.CallHierarchyItem): string => `${uri}#${selectionRange.start.line}`;
  const isTarget = ({ uri, range }: vscode.CallHierarchyItem): boolean =>
    uri.toString() === target.location.uri.toString() && range.contains(target.location.range.start);
  const seen = new Set(starts.map(keyOf));
  let front = starts.map((item) => ({ items: [item], steps: [] as Place[] }));
  for (let depth = 0; depth < MOST_STEPS && front.length > 0 && seen.size < MOST_VISITED; depth++) {
    const next: typeof front = [];
    for (const way of front) {
      const last = way.items.at(-1);
      for (const { place: at, to: item } of last ? await stepsFrom(last) : []) {
        if (seen.has(keyOf(item))) continue;
        seen.add(keyOf(item));
        const longer = { items: [...way.items, item], steps: [...way.steps, at] };
        if (isTarget(item)) return { definitions: longer.items.flatMap(defined), references: longer.steps };
        next.push(longer);
      }
    }
    front = next;
  }
  return undefined;
}

const defined = ({ uri, selectionRange: range, name }: vscode.CallHierarchyItem): Place[] =>
  place({ uri, range }, 'defines', '', name);

function place(
  { uri, range }: Pick<vscode.Location, 'uri' | 'range'>,
  relation: ReferenceRelation,
  from: string,
  to: string,
): Place[] {
  const path = shownPath(uri);
  if (path === undefined) return [];
  return [{ path, uri, line: range.start.line + 1, endLine: range.end.line + 1, relation, from, to }];
}

const without = (places: readonly Place[], definitions: readonly Place[]): Place[] =>
  places.filter(({ path, line }) => !definitions.some((one) => one.path === path && one.line === line));

/** The places with their lines and passages, as the index gives its own. Places that are not indexed are left out. */
async function answerOf(
  query: ReferenceQuery,
  { definitions, references }: Places,
  index: Pick<IndexService, 'passagesOf'>,
): Promise<ReferenceAnswer> {
  const passages = new Map<string, Passage[]>();
  const read = async (one: Place): Promise<(Omit<FoundReference, 'confidence'> & { endLine: number })[]> => {
    const { path, uri, line, endLine, relation, from, to } = one;
    const known = passages.get(path) ?? (await index.passagesOf(path));
    passages.set(path, known);
    const passage = known.find((candidate) => candidate.startLine <= line && candidate.endLine >= line);
    if (!passage) return [];
    const document = await vscode.workspace.openTextDocument(uri);
    const text = line <= document.lineCount ? document.lineAt(line - 1).text.trim() : '';
    return [{ path, line, endLine, text, passageId: passage.id, relation, from, to }];
  };
  const inScope = ({ path }: Place): boolean =>
    query.paths === undefined || query.paths.some((scope) => path === scope || path.startsWith(`${scope}/`));
  const [found, places] = [
    await each(definitions, read),
    await each(references.filter(inScope).slice(0, MOST_PLACES), read),
  ];
  const coverage: IndexCoverage = { files: 0, passages: 0, embedded: 0, indexing: false };
  return {
    ...noReferences(query, coverage),
    definitions: found.map(({ to, from: _, relation: __, ...at }) => ({ ...at, name: to, kind: 'symbol' })),
    references: places.map(({ endLine: _, ...at }) => ({
      ...at,
      from: at.from === '' ? baseName(at.path) : at.from,
      confidence: 1,
    })),
    ...(query.kind === 'reaches' && { route: { found: 'forwards', reached: references.length, ambiguous: [] } }),
    total: references.length,
    files: new Set(places.map(({ path }) => path)).size,
    complete: true,
  };
}

/** What a provider of the editor gives; commands that take a place are given one. */
async function list<T>(command: string, at: string | Named | vscode.CallHierarchyItem): Promise<T[]> {
  const given = typeof at === 'object' && 'location' in at ? [at.location.uri, await nameIn(at)] : [at];
  return (await vscode.commands.executeCommand<T[] | undefined>(command, ...given)) ?? [];
}

/** `open` of `open(path: string)`, as some language servers name it. */
const beforeParameters = (name: string): string => name.split('(', 1)[0] ?? name;

/** Where the name of a symbol stands: its range may begin with a keyword or a comment. */
async function nameIn({ name, location }: Named): Promise<vscode.Position> {
  const document = await vscode.workspace.openTextDocument(location.uri);
  const from = document.offsetAt(location.range.start);
  const at = document.getText().indexOf(beforeParameters(name), from);
  return document.positionAt(at < 0 ? from : at);
}

/** What all of them give, one after the other: servers answer one question at a time anyway. */
async function each<In, Out>(items: readonly In[], get: (item: In) => Promise<Out[]>): Promise<Out[]> {
  const all: Out[] = [];
  for (const item of items) all.push(...(await get(item)));
  return all;
}

/** Undefined where it takes too long or fails: the index knows references, too. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), PATIENCE_MS)));
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
