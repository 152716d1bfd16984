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
}

/** Messages may name files and hosts: quoted words and those like a path or an address are left out of them. */
export function withoutPrivateWords(text: string): string {
  return text
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
    .replace(/\S+/g, (word) => (isPathLike(word) || isAddressLike(word) ? '…' : word));
}

const isPathLike = (word: string): boolean => /[/\\]/.test(word);

/** Names with a dot inside, ports, mail addresses and IPv6; numbers are none. */
function isAddressLike(word: string): boolean {
  if (/^[\d.,]+[^\w]?$/.test(word) && word.split('.').length < 4) return false;
  return /[@]|::|:\d|[\p{L}\p{N}]\.[\p{L}\p{N}]|^\W?localhost\b/u.test(word);
}

/** Its figures are in English, for whoever gets the report; what the person reads is in the language of `t`. */
export function diagnosisMarkdown(facts: Diagnosis, t: Translate = inEnglish): string {
  const { state } = facts;
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
    if (state.error) rows.push(['Error', `${state.error.code}: ${withoutPrivateWords(state.error.message)}`]);
    const notice = describeNotices(state.notices);
    if (notice) rows.push(['Notice', withoutPrivateWords(notice)]);
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
