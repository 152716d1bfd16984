import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';

/** A regular expression as it stands in the sources. */
export interface FoundExpression {
  /** Path from the repository's root, with slashes. */
  file: string;
  line: number;
  /** What stands between the slashes; undefined where it is put together while the program runs. */
  pattern: string | undefined;
  flags: string;
  /** The source text of the expression, for messages. */
  text: string;
}

/** Every regular expression of one TypeScript file: literals, and calls of `RegExp`. */
export function expressionsIn(file: string, content: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  const tree = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const add = (node: ts.Node, pattern: string | undefined, flags: string): void => {
    found.push({ file, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, pattern, flags, text: node.getText() });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [pattern, flags] = node.arguments ?? [];
      const fixed = pattern && ts.isStringLiteralLike(pattern) ? pattern.text : undefined;
      add(node, fixed, flags && ts.isStringLiteralLike(flags) ? flags.text : '');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Every regular expression of the TypeScript files below `folders` of `root`. */
export function expressionsBelow(root: string, folders: readonly string[]): FoundExpression[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[mc]?ts$/.test(name))
      .sort()
      .flatMap((name) => {
        const file = path.posix.join(folder, ...name.split(path.sep));
        return expressionsIn(file, readFileSync(path.join(root, file), 'utf8'));
      }),
  );
}

/** How the time of a match grows with the length of the text, as the analyser says it: `safe` is linear. */
export interface Growth {
  safe: boolean;
  /** `polynomial 2`, `exponential`, or why it could not be told. */
  why: string;
}

/** Asks recheck about one expression: an automaton is built of it, or texts are tried against it where that is not possible. */
export async function growthOf(pattern: string, flags: string): Promise<Growth> {
  // `v` is `u` with set operations, which none of ours uses; recheck knows `u`.
  const told = await check(pattern, flags.replace('v', 'u'), { timeout: 30_000 });
  if (told.status === 'safe') return { safe: true, why: '' };
  if (told.status === 'vulnerable') {
    const { complexity } = told;
    return { safe: false, why: complexity.type === 'polynomial' ? `polynomial ${complexity.degree}` : complexity.type };
  }
  return { safe: false, why: `unknown: ${told.error.kind}` };
}

/** Growth of each distinct expression, several at a time; the key is `/pattern/flags`. */
export async function growthOfAll(expressions: readonly FoundExpression[], atOnce = 2): Promise<Map<string, Growth>> {
  const distinct = new Map(expressions.flatMap((one) => (one.pattern === undefined ? [] : [[keyOf(one), one] as const])));
  const waiting = [...distinct];
  const growth = new Map<string, Growth>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [key, { pattern = '', flags }] = next;
      growth.set(key, await growthOf(pattern, flags));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return growth;
}

export const keyOf = ({ pattern, flags }: FoundExpression): string => `/${pattern}/${flags}`;
