import type { References } from '../../domain/references.ts';
import type { TextSpan } from '../../domain/unit.ts';
import type { Block, ParsedFile } from '../chunk/block.ts';
import type { CodeParser } from '../code/code-parser.ts';
import { SourceText } from '../text/source-text.ts';

/** A stretch of a page that is a program; `language` is undefined where no grammar reads it. */
export interface ScriptRegion extends TextSpan {
  language: string | undefined;
  /** An expression in markup: it uses names, and is no part to cut by. */
  isExpression?: boolean;
}

/**
 * Reads the scripts of a page by their grammar: everything around them becomes blanks, so that each place in the
 * program is its place in the file. Their declarations replace what the page's reader made of these lines. A script
 * that cannot be parsed stays as the page's reader has it.
 */
export async function readScripts(
  page: ParsedFile,
  regions: readonly ScriptRegion[],
  source: SourceText,
  path: string,
  code: CodeParser,
): Promise<ParsedFile> {
  const scripts = regions.filter(
    ({ start, end, isExpression }) => isExpression || source.text.slice(start, end).trim(),
  );
  const language = scripts.find((script) => script.language !== undefined && !script.isExpression)?.language;
  if (language === undefined || !(await code.supports(language))) return page;
  const program = scripts.filter((script) => script.isExpression || script.language !== undefined);
  let parsed: ParsedFile;
  try {
    parsed = await code.parse(new SourceText(alone(source.text, program)), path, language);
  } catch {
    return page;
  }
  const ranges = program
    .filter(({ isExpression }) => !isExpression)
    .map(({ start, end }) => ({ start, end, firstLine: source.lineAt(start), lastLine: source.lineAt(end) }));
  const isOfScript = ({ start, end }: TextSpan): boolean =>
    ranges.some((range) => start >= range.start && end <= range.end);
  const blocks = ranges.flatMap(({ firstLine, lastLine }) =>
    parsed.blocks.filter((block) => block.startLine >= firstLine && block.endLine <= lastLine),
  );
  return {
    ...page,
    blocks: replaced(page.blocks, blocks),
    links: [...page.links, ...parsed.links.filter(({ kind }) => kind !== 'path' && kind !== 'url')],
    units: [
      ...(page.units ?? []).filter((unit) => !isOfScript(unit)),
      ...(parsed.units ?? []).filter((unit) => isOfScript(unit)),
    ].sort((a, b) => a.start - b.start || a.end - b.end),
    references: joined(page.references, parsed.references),
  };
}

/** The text with blanks in place of all but some stretches; the marks around an expression end a statement. */
function alone(text: string, regions: readonly ScriptRegion[]): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  let program = '';
  let at = 0;
  for (const { start, end, isExpression } of [...regions].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    const before = blank(text.slice(at, start));
    program += (isExpression && before.endsWith(' ') ? `${before.slice(0, -1)};` : before) + text.slice(start, end);
    at = end;
  }
  return program + blank(text.slice(at));
}

/**
 * Puts blocks of scripts among those of their page: into the one that holds them, in the place of those inside them.
 */
function replaced(blocks: readonly Block[], scripts: readonly Block[]): Block[] {
  if (scripts.length === 0) return [...blocks];
  const kept: Block[] = [];
  let rest = [...scripts];
  for (const block of blocks) {
    const inside = rest.filter((one) => one.startLine >= block.startLine && one.endLine <= block.endLine);
    const touched = rest.some((one) => one.startLine <= block.endLine && one.endLine >= block.startLine);
    if (inside.length > 0) {
      kept.push({ ...block, children: replaced(block.children, inside) });
      rest = rest.filter((one) => !inside.includes(one));
    } else if (!touched) kept.push(block);
  }
  return [...kept, ...rest].sort((a, b) => a.startLine - b.startLine);
}

function joined(a: References | undefined, b: References | undefined): References | undefined {
  if (!a || !b) return a ?? b;
  return {
    definitions: [...a.definitions, ...b.definitions],
    uses: [...a.uses, ...b.uses],
    imports: [...a.imports, ...b.imports],
    ...((a.cut || b.cut) && { cut: true }),
  };
}
