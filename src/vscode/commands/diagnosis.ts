import type { IndexState, Translate } from '#search';
import { describeNotices, inEnglish } from '#search/notices';
import { megabytes } from '../index/index-report.ts';

/** Facts that tell nothing about the person or the workspace's content. */
interface Diagnosis {
  version: string;
  editor: string;
  platform: string;
  cpus: number;
  memoryBytes: number;
  folders: number;
  schemes: string[];
  trusted: boolean;
  modelKind: string;
  state: IndexState | undefined;
  settings: Record<string, string>;
  /** What is set as addresses, and this machine's name: none of it is shown, and messages lose their hosts. */
  addresses: readonly string[];
}

/**
 * Messages may name files and hosts: quoted words, those like a path or an address, and the hosts of these addresses
 * are left out of them.
 */
export function withoutPrivateWords(text: string, addresses: readonly string[] = []): string {
  const hosts = new Set(addresses.map(hostOf).filter((host) => host !== ''));
  const namesHost = (word: string): boolean =>
    hosts.size > 0 && word.split(/[^\p{L}\p{N}_-]+/u).some((part) => hosts.has(part.toLowerCase()));
  return text
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
    .replace(/\S+/g, (word) => (isPathLike(word) || isAddressLike(word) || namesHost(word) ? '…' : word));
}

/** The host of an address, with or without a scheme, as it is written; one with a dot is an address by its look. */
const hostOf = (address: string): string =>
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#\s]*)/iu.exec(address.trim())?.[1]?.toLowerCase() ?? '';

const isPathLike = (word: string): boolean => /[/\\]/.test(word);

/** Names with a dot inside, ports, mail addresses and IPv6; numbers are none. */
function isAddressLike(word: string): boolean {
  if (/^[\d.,]+[^\w]?$/.test(word) && word.split('.').length < 4) return false;
  return /[@]|::|:\d|[\p{L}\p{N}]\.[\p{L}\p{N}]|^\W?localhost\b/u.test(word);
}

/** Its figures are in English, for whoever gets the report; what the person reads is in the language of `t`. */
export function diagnosisMarkdown(facts: Diagnosis, t: Translate = inEnglish): string {
  const { state, addresses } = facts;
  const rows: [string, string][] = [
    ['Hoptrail', facts.version],
    ['VS Code', facts.editor],
    ['System', facts.platform],
    ['Processors', String(facts.cpus)],
    ['Memory', `${(facts.memoryBytes / 2 ** 30).toFixed(1)} GiB`],
    ['Folders', `${facts.folders}${facts.schemes.length > 0 ? ` (${facts.schemes.join(', ')})` : ''}`],
    ['Trusted', facts.trusted ? 'yes' : 'no'],
    ['Language model', facts.modelKind],
  ];
  if (state) {
    rows.push(
      ['Index', state.phase],
      ['Files', String(state.coverage.files)],
      ['Passages', `${state.coverage.passages}, ${state.coverage.embedded} with a vector`],
    );
    if (state.bytes !== undefined) rows.push(['Size', megabytes(state.bytes)]);
    if (state.error)
      rows.push(['Error', `${state.error.code}: ${withoutPrivateWords(state.error.message, addresses)}`]);
    const notice = describeNotices(state.notices);
    if (notice) rows.push(['Notice', withoutPrivateWords(notice, addresses)]);
  }
  for (const [key, value] of Object.entries(facts.settings)) rows.push([key, value]);
  return [
    t('# Hoptrail diagnosis'),
    '',
    t('Paste this into a report. It holds no paths, no file names, no addresses and no text of yours.'),
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value.replace(/[|\\]/g, '\\$&').replace(/\s+/g, ' ')} |`),
    '',
  ].join('\n');
}
