import {
  type FoundReference,
  MOST_STEPS,
  type ReferenceAnswer,
  type ReferenceKind,
  type ReferenceRelation,
} from '#search';

/** What a place does with a symbol: `calls`, `throws`. */
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

/** `7 places in 3 files call …`; one, and none. */
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
function routeSummary(
  { query, definitions, references, route }: ReferenceAnswer,
  shown: (name: string) => string,
): string {
  const [from, to] = [shown(query.symbol), shown(query.to ?? '')];
  if (!route) return `No way leads from ${from} to ${to}: not both are defined in what is read as code.`;
  const looked = `${count(route.reached, 'definition')} within ${MOST_STEPS} steps of the two`;
  if (route.found === 'none') return `No way from ${from} to ${to} was found, nor back, over ${looked}.`;
  const [begin, end] = route.found === 'forwards' ? [from, to] : [to, from];
  const verb = references.every(({ relation }) => RUNS.includes(relation)) ? 'reaches' : 'is connected to';
  const way =
    `${begin} ${verb} ${end} in ${count(references.length, 'step')}: ` +
    `${definitions.map(({ name }) => shown(name)).join(' → ')}.`;
  return route.found === 'forwards' ? way : `No calls lead from ${from} to ${to}. The other way around, ${way}`;
}

/** What was found, in one sentence, in English; `shown` says how a symbol is to be written. */
function summaryOf(answer: ReferenceAnswer, shown: (name: string) => string = (name) => name): string {
  const { query, total, files, definitions } = answer;
  if (query.kind === 'reaches') return routeSummary(answer, shown);
  const isText = query.symbol.includes(' ');
  const name = isText && shown(query.symbol) === query.symbol ? `“${query.symbol}”` : shown(query.symbol);
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
function gapsOf({
  query,
  possibleTotal,
  named = 0,
  isCommon,
  cutFiles,
  unread,
  complete,
  total,
  references,
  route,
}: ReferenceAnswer): string[] {
  return [
    ...(query.kind === 'reaches' && route?.found !== 'forwards'
      ? ['Calls of which nothing tells what is meant are not followed.']
      : []),
    ...(complete ? [] : ['The index is not complete yet: files that are still to be read are left out.']),
    ...(possibleTotal > 0
      ? [
          `${count(possibleTotal, 'further place')} ${possibleTotal === 1 ? 'uses' : 'use'} a name like it of ` +
            `which nothing tells what is meant.`,
        ]
      : []),
    ...(named > 0
      ? [
          `${count(named, 'further place')} ${named === 1 ? 'names' : 'name'} it without calling it: kind uses lists ` +
            `${named === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(isCommon
      ? [`So many things are called ${query.symbol} that places of which nothing tells what is meant are not counted.`]
      : []),
    ...(cutFiles.length > 0
      ? [`Not everything was read of ${cutFiles.slice(0, 3).join(', ')}${cutFiles.length > 3 ? ' and others' : ''}.`]
      : []),
    ...(unread > 0
      ? [`${count(unread, 'file')} in languages without a grammar ${unread === 1 ? 'was' : 'were'} not looked at.`]
      : []),
    ...(references.length < total ? [`Only the first ${references.length} are listed.`] : []),
  ];
}

/** Places by file, in order. */
function byFile<T extends { path: string }>(places: readonly T[]): Map<string, T[]> {
  const files = new Map<string, T[]>();
  for (const place of places) {
    const known = files.get(place.path);
    if (known) known.push(place);
    else files.set(place.path, [place]);
  }
  return files;
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
  else for (const [path, places] of byFile(references)) lines.push('', path, ...places.map(placeLine));
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
