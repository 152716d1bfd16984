import type { ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { languageTable, type TextFormat } from './file-format.ts';
import { readPage } from './html.ts';
import { readScripts, type ScriptRegion } from './scripts-in-pages.ts';

/** Components of one file: markup with scripts in it, which the grammars of scripts read. */
export const components: TextFormat = {
  name: 'components',
  extensions: languageTable('vue=vue svelte=svelte astro=astro'),
  generated: true,
  read: (source, path, { language, code }) => {
    const page = readPage(source.text);
    const front = language === 'astro' ? frontScript(source) : [];
    const scripts = [...front, ...page.scripts];
    const host: ParsedFile = {
      blocks: [],
      links: [...page.links, ...textLinks(source)],
      rest: { kind: 'code', family: 'code', title: '' },
      units: page.units.filter(({ start }) => !front.some((region) => start < region.end)),
    };
    const expressions = expressionsIn(source.text, language === 'vue' ? IN_VUE : IN_BRACES);
    const isOutside = ({ start }: ScriptRegion): boolean =>
      !scripts.some((one) => start >= one.start && start < one.end);
    const typed = scripts.some((script) => script.language === 'typescript') ? 'typescript' : 'javascript';
    const regions = scripts.map((script) => (script.language ? { ...script, language: typed } : script));
    return readScripts(host, [...regions, ...expressions.filter(isOutside)], source, path, code);
  },
};

const LONGEST = String.raw`[^{}]{1,1000}`;
/** `{{ fare(2) }}`, `:fare="fare(2)"`, `@click="pay"`, `v-if="open"` */
const IN_VUE = [new RegExp(String.raw`\{\{(${LONGEST})\}\}`, 'g'), /\s(?::|@|#|v-)[\w.:[\]-]{0,60}="([^"]{1,1000})"/g];
/** `{fare(2)}`, `{#if open}`, `{@html text}` */
const IN_BRACES = [new RegExp(String.raw`\{(?:[#:@](?:[a-z]{2,10})(?: if)?\s)?(${LONGEST})\}`, 'g')];

function expressionsIn(text: string, patterns: readonly RegExp[]): ScriptRegion[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: whole, 1: inner = '', index }) => {
      const start = index + whole.lastIndexOf(inner);
      return { start, end: start + inner.length, language: undefined, isExpression: true as const };
    }),
  );
}

/** Expressions in braces of a page of MDX. */
export const expressionsInBraces = (text: string): ScriptRegion[] => expressionsIn(text, IN_BRACES);

/** The program between the lines of dashes that a page of Astro begins with. */
function frontScript(source: SourceText): ScriptRegion[] {
  if (source.line(1).trim() !== '---') return [];
  const last = source.lines.findIndex((line, i) => i > 0 && line.trim() === '---');
  return last < 0 ? [] : [{ start: source.offsetOf(2), end: source.offsetOf(last + 1), language: 'typescript' }];
}
