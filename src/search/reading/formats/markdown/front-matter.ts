import { expression } from '#base';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { PlacedLink } from '../../chunk/block.ts';
import type { SourceText } from '../../text/source-text.ts';
import { fileNamesIn } from '../../links/text-links.ts';
import { wikilinksIn } from './markdown-links.ts';

/** A note's metadata between `---` lines (YAML) or `+++` lines (TOML) at its top. */
interface FrontMatter {
  /** Last line, 1-based: the closing fence. */
  endLine: number;
  title?: string;
  /** Other names of the note. */
  aliases: string[];
  links: PlacedLink[];
}

const LONGEST = 400;
/** Longer metadata is data; and the library that reads it recurses into what is nested. */
const LONGEST_BODY = 20_000;
/** A text; `- Plan: the quay` in a list is one too, whatever YAML makes of it. */
const name = z
  .union([
    z.string(),
    z.record(z.string(), z.string()).transform((pairs) =>
      Object.entries(pairs)
        .map((pair) => pair.join(': '))
        .join(', '),
    ),
  ])
  .catch('');
const names = z.union([z.array(name), z.string().transform((value) => [value])]).catch([]);
const known = z.looseObject({
  title: name.optional(),
  aliases: names,
  alias: names,
});

/** Reads the metadata at the top of a note; undefined when there is none. A broken value is what its line says. */
export function readFrontMatter(source: SourceText): FrontMatter | undefined {
  const fence = source.line(1).trimEnd();
  if (fence !== '---' && fence !== '+++') return undefined;
  const ends = (line: string): boolean => line.trimEnd() === fence || (fence === '---' && line.trimEnd() === '...');
  const endLine = source.lines.slice(1, LONGEST).findIndex(ends) + 2;
  if (endLine < 2) return undefined;
  const body = source.slice(2, endLine - 1);
  if (!beginsWithKey(source, endLine)) return undefined;
  const values = body.length > LONGEST_BODY ? {} : fence === '---' ? yamlValues(body) : tomlValues(body);
  const parsed = known.safeParse(values);
  const title = parsed.data?.title?.trim();
  const { aliases: many = [], alias: more = [] } = parsed.data ?? {};
  const aliases = [...many, ...more].map((alias) => alias.trim()).filter(Boolean);
  return { endLine, ...(title ? { title } : {}), aliases, links: linksOf(source, endLine, aliases) };
}

/** `title: Rules`, `"title" = "Rules"`. Words between two rules are no metadata. */
const KEY = /^["']?[\p{L}\p{N}_$][^:=\n]{0,80}(?:=|:(?:\s|$))/u;

/** Whether the first line that is no comment gives a key its value; true where nothing stands there yet. */
function beginsWithKey(source: SourceText, endLine: number): boolean {
  for (let line = 2; line < endLine; line++)
    if (!source.isBlank(line) && !source.line(line).startsWith('#')) return KEY.test(source.line(line));
  return source.slice(2, endLine - 1).trim() === '';
}

/** As they are written: `1.10` is no number. A colon or bracket without quotes breaks its own value, and no other. */
function yamlValues(body: string): unknown {
  const read = (text: string): unknown => {
    try {
      const parsed = parseDocument(text, { logLevel: 'silent', strict: false, schema: 'failsafe' });
      return parsed.errors.length > 0 ? undefined : parsed.toJS({ maxAliasCount: 50 });
    } catch {
      return undefined; // too many aliases
    }
  };
  const written = (part: string): object => {
    const [, key = '', value = ''] = /^([\w-]{1,80})\s{0,9}:(.*)/.exec(part) ?? [];
    return { [key]: unquoted(value.trim()) };
  };
  return read(body) ?? Object.assign({}, ...body.split(/\n(?=[^\s#-])/).map((part) => read(part) ?? written(part)));
}

function tomlValues(body: string): Record<string, string> {
  const title = /^title\s*=\s*["'](.*)["']\s*$/m.exec(body)?.[1];
  return title === undefined ? {} : { title };
}

/** Wikilinks, file names and, for keys that name other notes (`related: [Ferry Decision]`), plain values. */
function linksOf(source: SourceText, endLine: number, aliases: readonly string[]): PlacedLink[] {
  const links: PlacedLink[] = aliases.map((target) => ({ kind: 'define', target, line: 1 }));
  let references = false;
  for (let line = 2; line < endLine; line++) {
    const text = source.line(line);
    const key = /^([\w-]+)\s*:/.exec(text)?.[1];
    if (key)
      references = expression('i')`
        ^(?:related|see[-_]?also|parents?|up|child(?:ren)?|depends(?:[-_]on)?|supersedes|superseded[-_]by|replaces|
          replaced[-_]by|references?|links?|sources?|follows|previous|next|part[-_]of|project|decisions?|incidents?|
          meetings?|attendees|owner|people|authors?)$
      `.test(key);
    const wikilinks = wikilinksIn(text, line);
    for (const link of wikilinks) links.push(link);
    for (const { name, index } of fileNamesIn(text)) links.push({ kind: 'path', target: name, line, column: index });
    if (references && wikilinks.length === 0)
      for (const target of plainValues(text)) links.push({ kind: 'wikilink', target, line });
  }
  return links;
}

const unquoted = (text: string): string => text.replace(/^["']|["']$/g, '');

function plainValues(text: string): string[] {
  const value = text
    .replace(/^[\w-]+\s*:/, '')
    .replace(/^\s*-\s+/, '')
    .replace(/^\s*\[|\]\s*$/g, '')
    .trim();
  return value
    .split(',')
    .map((part) => unquoted(part.trim()).trim())
    .filter((part) => part.length > 1 && part.length < 80 && !/^[\d\s:.-]+$|https?:/.test(part));
}
