import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { repositoryRoot } from '../vscode-host/locations.ts';

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

/** Every regular expression of one TypeScript file: literals, those over several lines, and calls of `RegExp`. */
export function expressionsIn(file: string, content: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  const tree = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(tree);
  const add = (node: ts.Node, pattern: string | undefined, flags: string): void => {
    found.push({
      file,
      line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      pattern,
      flags,
      text: node.getText(),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'expression') return; // read where it is used
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (ts.isTaggedTemplateExpression(node) && /^expression\b/.test(node.tag.getText())) {
      const [flags] = ts.isCallExpression(node.tag) ? node.tag.arguments : [];
      // As `expression` of src/base puts it together.
      const pattern = templateValue(node.template, constants, true)?.replace(/\n\s*/g, '');
      add(node, pattern, (flags && valueOf(flags, constants)) ?? '');
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [pattern, flags] = node.arguments ?? [];
      add(node, pattern && valueOf(pattern, constants), (flags && valueOf(flags, constants)) ?? '');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** What the constants of a file are made of, by name. */
function constantsOf(tree: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
    }
  }
  return constants;
}

/** The text that an expression of literals and constants of its file always is; undefined for anything else. */
function valueOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant && valueOf(constant, constants);
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [valueOf(node.left, constants), valueOf(node.right, constants)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  const raw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw';
  return templateValue(raw ? node.template : node, constants, raw);
}

/** The text of a template, `raw` as it is written. */
function templateValue(
  template: ts.Expression,
  constants: ReadonlyMap<string, ts.Expression>,
  raw: boolean,
): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return raw ? (template.rawText ?? template.text) : template.text;
  if (!ts.isTemplateExpression(template)) return undefined;
  const textOf = ({ text, rawText }: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail): string =>
    raw ? (rawText ?? text) : text;
  let value = textOf(template.head);
  for (const span of template.templateSpans) {
    const part = valueOf(span.expression, constants);
    if (part === undefined) return undefined;
    value += part + textOf(span.literal);
  }
  return value;
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

/** Milliseconds for one expression, so many that a busy machine has them, too. */
const LONGEST_CHECK = 120_000;

/**
 * Asks recheck about one expression. Most become an automaton, whose verdict is certain. Those with look-arounds, back
 * references or large counts are tried with texts that the analyser invents, on short ones only: there a bounded count
 * (`.{0,60}`) looks like growth, so that such a verdict is tried on long texts of the same kind.
 */
export async function growthOf(pattern: string, flags: string): Promise<Growth> {
  // `v` is `u` with set operations, which none of ours uses; recheck knows `u`.
  const told = await check(pattern, flags.replace('v', 'u'), { timeout: LONGEST_CHECK });
  if (told.status === 'safe') return { safe: true, why: '' };
  if (told.status === 'unknown') return { safe: false, why: `unknown: ${told.error.kind}` };
  const { complexity, checker, attack } = told;
  if (complexity.type === 'exponential') return { safe: false, why: complexity.type };
  if (checker === 'fuzz' && isQuickOn(new RegExp(pattern, flags), attack.pumps, attack.suffix))
    return { safe: true, why: '' };
  return { safe: false, why: `polynomial ${complexity.degree}` };
}

/**
 * Characters up to which a suspect is tried, and how long it may take for as many, in milliseconds; quadratic ones need
 * many seconds.
 */
const LONGEST_TRIED = 100_000;
const QUICK_MS = 1_000;
/** A busy machine may keep any one try waiting: only what is slow each time is slow. */
const TRIES = 3;

/** Tries texts of growing length, so that a slow expression is found out while its text is short. */
function isQuickOn(expression: RegExp, pumps: readonly { prefix: string; pump: string }[], suffix: string): boolean {
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  for (let length = 500; length <= LONGEST_TRIED; length *= 2) {
    const times = Math.ceil(length / Math.max(1, pumped));
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
    let isSlow = true;
    for (let tries = 0; isSlow && tries < TRIES; tries++) isSlow = millisecondsFor(expression, text) > QUICK_MS;
    if (isSlow) return false;
  }
  return true;
}

function millisecondsFor(expression: RegExp, text: string): number {
  const started = performance.now();
  if (expression.global || expression.sticky)
    for (const _ of text.matchAll(new RegExp(expression.source, addGlobal(expression.flags)))) continue;
  else expression.exec(text);
  return performance.now() - started;
}

const addGlobal = (flags: string): string => (flags.includes('g') ? flags : `${flags}g`);

const analyser = readFileSync(path.join(repositoryRoot, 'node_modules', 'recheck', 'package.json'), 'utf8');
const { version } = JSON.parse(analyser) as { version: string };
/** Of an expression and the analyser that looks at it: another version looks again. */
export const fingerprintOf = (key: string): string =>
  createHash('sha256').update(`${version} ${key}`).digest('hex').slice(0, 16);

/**
 * Fingerprints of expressions that were found safe: all of them take minutes, and a verdict does not change. Whatever
 * is not among them is looked at.
 */
export const knownFile = path.join(repositoryRoot, 'test', 'fixtures', 'safe-expressions.json');
const known = (): Set<string> => new Set(JSON.parse(readFileSync(knownFile, 'utf8')) as string[]);

/** Growth of each distinct expression, several at a time; the key is `/pattern/flags`. */
export async function growthOfAll(expressions: readonly FoundExpression[], atOnce = 2): Promise<Map<string, Growth>> {
  const distinct = new Map(
    expressions.flatMap((one) => (one.pattern === undefined ? [] : [[keyOf(one), one] as const])),
  );
  const safe = known();
  const waiting = [...distinct];
  const growth = new Map<string, Growth>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [key, { pattern = '', flags }] = next;
      growth.set(key, safe.has(fingerprintOf(key)) ? { safe: true, why: '' } : await growthOf(pattern, flags));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return growth;
}

export const keyOf = ({ pattern, flags }: FoundExpression): string => `/${pattern}/${flags}`;
