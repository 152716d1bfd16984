import { z } from 'zod';
import { addTo, optionalInput, withoutControls } from '#base';
import {
  type FoundReference,
  MOST_STEPS,
  type ReferenceAnswer,
  referenceKind,
  type ReferenceKind,
  type ReferenceRelation,
} from '#search';
import { narrowed, type Tool } from './tool.ts';

const name = z.string().trim().min(1).max(300);
const input = z
  .strictObject({
    symbol: name.describe(
      'A function, class, method, constant or key, as merge or Store.merge; or a path, for imports.',
    ),
    kind: optionalInput(referenceKind).describe(
      'Default uses: all that programs do with it. callees: what it calls itself; documents: pages that name it; ' +
        'reaches: how it leads to another symbol.',
    ),
    to: optionalInput(name).describe('For reaches: the other symbol.'),
    folder: optionalInput(z.string().max(1000)).describe('Only in this folder or file.'),
  })
  .refine(({ kind, to }) => kind !== 'reaches' || to !== undefined, {
    path: ['to'],
    error: 'Kind reaches needs the other symbol.',
  });

const MOST_SHOWN = 80;

export const referencesTool: Tool<z.infer<typeof input>> = {
  name: 'references',
  title: (t) => t('references'),
  description:
    'Lists where code defines, calls, uses, implements, overrides, imports, sets or throws a symbol, by file and ' +
    'line. Use it for who calls something, what it calls, and where a name is used.',
  input,
  asked: ({ symbol, kind, to }) =>
    `${kind ?? (to ? 'reaches' : 'uses')} of ${symbol}${to === undefined ? '' : ` to ${to}`}`,
  run: async ({ retriever, scope, signal }, { symbol, kind, to, folder }) => {
    const paths = narrowed(scope, folder)?.paths;
    const answer = await retriever.references(
      { symbol, kind: kind ?? (to ? 'reaches' : 'uses'), ...(to && { to }), ...(paths && { paths }) },
      signal,
    );
    const shown = [...answer.definitions, ...answer.references.slice(0, MOST_SHOWN)];
    const ids = [...new Set(shown.map(({ passageId }) => passageId))];
    return {
      ...(ids.length > 0 && { note: 'Cite a place of this list as [path:line].' }),
      text: withoutControls(referencesText({ ...answer, references: answer.references.slice(0, MOST_SHOWN) })),
      passages: await retriever.passages(ids, signal),
      places: shown.map(({ path, line, passageId }) => ({ path, startLine: line, endLine: line, passageId })),
      total: answer.definitions.length + answer.total,
      structured: { ...answer },
    };
  },
};

const RELATIONS: Readonly<Record<ReferenceRelation, string>> = {
  calls: 'calls',
  imports: 'imports',
  extends: 'extends',
  implements: 'implements',
  overrides: 'overrides',
  types: 'names the type',
  reads: 'uses',
  sets: 'sets',
  throws: 'throws',
  keys: 'names',
  defines: 'defines',
  documents: 'names',
};

const ASKED: Readonly<
  Record<Exclude<ReferenceKind, 'callees' | 'definitions' | 'reaches' | 'tests'>, readonly [string, string]>
> = {
  uses: ['uses', 'use'],
  calls: ['calls', 'call'],
  imports: ['imports', 'import'],
  implements: ['implements or extends', 'implement or extend'],
  overrides: ['overrides', 'override'],
  types: ['names the type', 'name the type'],
  reads: ['reads', 'read'],
  sets: ['sets', 'set'],
  throws: ['throws', 'throw'],
  keys: ['names', 'name'],
  documents: ['of the documentation names', 'of the documentation name'],
};

/** What programs may do to a thing without naming it. */
const BY_NAME: readonly ReferenceKind[] = ['uses', 'calls', 'reads', 'sets'];

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

/** Steps that run: all others only name what comes next. */
const RUNS: readonly ReferenceRelation[] = ['calls', 'overrides', 'implements'];

/** The way, or that there is none, and how far was looked. */
function routeSummary({ query, definitions, references, route }: ReferenceAnswer): string {
  const { symbol: from, to = '' } = query;
  if (!route) return `No way leads from ${from} to ${to}: not both are defined in what is read as code.`;
  const looked = `${count(route.reached, 'definition')} within ${MOST_STEPS} steps of the two`;
  if (route.found === 'none') return `No way from ${from} to ${to} was found, nor back, over ${looked}.`;
  const [begin, end] = route.found === 'forwards' ? [from, to] : [to, from];
  const verb = references.every(({ relation }) => RUNS.includes(relation)) ? 'reaches' : 'is connected to';
  const way =
    `${begin} ${verb} ${end} in ${count(references.length, 'step')}: ` +
    `${definitions.map(({ name }) => name).join(' → ')}.`;
  return route.found === 'forwards' ? way : `No calls lead from ${from} to ${to}. The other way around, ${way}`;
}

function summaryOf(answer: ReferenceAnswer): string {
  const { query, total, files, definitions } = answer;
  if (query.kind === 'reaches') return routeSummary(answer);
  const name = query.symbol.includes(' ') ? `“${query.symbol}”` : query.symbol;
  if (query.kind === 'definitions')
    return definitions.length === 0
      ? `Nothing that is read as code defines ${name}.`
      : `${name} is defined in ${count(definitions.length, 'place')}.`;
  if (query.kind === 'callees')
    return total === 0
      ? `No call from ${name} leads to a definition in these files.`
      : `${count(total, 'call')} from ${name} ${total === 1 ? 'leads' : 'lead'} to definitions in these files.`;
  if (query.kind === 'tests')
    return total === 0
      ? `No place in a test was found that uses ${name}.`
      : `${count(total, 'place')} in ${count(files, 'test file')} ${total === 1 ? 'uses' : 'use'} ${name}.`;
  const [one, many] = ASKED[query.kind];
  if (total === 0)
    return `No place was found that ${one} ${name}${BY_NAME.includes(query.kind) ? ' by name; computed access is not seen' : ''}.`;
  return `${count(total, 'place')} in ${count(files, 'file')} ${total === 1 ? one : many} ${name}.`;
}

/** What the list may lack, each in a sentence; none where it is complete. */
function gapsOf(answer: ReferenceAnswer): string[] {
  const { query, possibleTotal, named = 0, isCommon, cutFiles, unread, complete, total, references, route } = answer;
  const many = (number: number, one: string, more: string): string => (number === 1 ? one : more);
  const gaps = [
    query.kind === 'reaches' && route?.found !== 'forwards'
      ? 'Calls of which nothing tells what is meant are not followed.'
      : '',
    complete ? '' : 'The index is not complete yet: files that are still to be read are left out.',
    possibleTotal > 0
      ? `${count(possibleTotal, 'further place')} ${many(possibleTotal, 'uses', 'use')} a name like it of which nothing ` +
        `tells what is meant.`
      : '',
    named > 0
      ? `${count(named, 'further place')} ${many(named, 'names', 'name')} it without calling it: kind uses lists ` +
        `${many(named, 'it', 'them')}.`
      : '',
    isCommon
      ? `So many things are called ${query.symbol} that places of which nothing tells what is meant are not counted.`
      : '',
    cutFiles.length > 0
      ? `Not everything was read of ${cutFiles.slice(0, 3).join(', ')}${cutFiles.length > 3 ? ' and others' : ''}.`
      : '',
    unread > 0
      ? `${count(unread, 'file')} in languages without a grammar ${many(unread, 'was', 'were')} not looked at.`
      : '',
    references.length < total ? `Only the first ${references.length} are listed.` : '',
  ];
  return gaps.filter((gap) => gap !== '');
}

/** Plain text for programs and terminals: a summary, then each file with its places, then what may be missing. */
export function referencesText(answer: ReferenceAnswer): string {
  const { definitions, references, possible, near } = answer;
  const lines = [summaryOf(answer)];
  if (definitions.length > 0)
    lines.push(
      '',
      ...definitions.map(
        ({ kind, name, path, line, text, signature = text }) =>
          `${kind} ${name} is defined at ${path}:${line}: ${signature}`,
      ),
    );
  if (answer.route) lines.push('', ...references.map((step) => `${step.path}:${placeLine(step).trimStart()}`));
  else {
    const files = new Map<string, FoundReference[]>();
    for (const place of references) addTo(files, place.path, place);
    for (const [path, places] of files) lines.push('', path, ...places.map(placeLine));
  }
  if (possible.length > 0)
    lines.push('', 'Possible:', ...possible.map((place) => `${place.path}:${placeLine(place).trimStart()}`));
  if (definitions.length === 0 && references.length === 0 && near.length > 0)
    lines.push('', `Names like it: ${near.join(', ')}`);
  const gaps = gapsOf(answer);
  if (gaps.length > 0) lines.push('', ...gaps);
  return lines.join('\n');
}

const placeLine = ({ line, from, relation, to, text }: FoundReference): string =>
  `  ${line}: ${from === '' ? '' : `${from} `}${RELATIONS[relation]} ${to}: ${text}`;
