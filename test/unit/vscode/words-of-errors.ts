import ts from 'typescript';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

/** Stands for what is not known before the program runs: a name, a number, what somebody else said. */
const VALUE = '#';
/** Classes whose words only agents read. */
const FOR_AGENTS = new Set(['ToolInputError', 'ResearchFailedError']);
/** Properties whose words become those of an error elsewhere in their file. */
const OF_ERRORS = new Set(['advice', 'why', 'says']);
/** Those whose words rounds of learning keep. */
const OF_ROUNDS = 'problem';

export interface CodeWords {
  /** `src/base/errors.ts:12` */
  at: string;
  text: string;
}

/** Every message, part of one and advice that the code gives to an error, with `#` for the values. */
export function wordsOfErrors(): CodeWords[] {
  const files = sources((name, source) => !name.startsWith('cli/') && /(?:new|extends) \w*Error\b/.test(source));
  const errors = classesOfErrors(files);
  return files.flatMap((file) => wordsIn(file, errors));
}

function sources(isMeant: (name: string, source: string) => boolean): ts.SourceFile[] {
  return filesBelow('src')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readRepository(file);
      const name = file.slice('src/'.length);
      return isMeant(name, source) ? [ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true)] : [];
    });
}

/** The texts of an expression that are words. */
function said(node: ts.Expression): CodeWords[] {
  const file = node.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return textsOf(node)
    .filter((text) => /[a-z]{2} |[a-z]\.$/.test(text))
    .map((text) => ({ at: `src/${file.fileName}:${line}`, text: text.trim() }));
}

function classesOfErrors(files: readonly ts.SourceFile[]): ReadonlySet<string> {
  const errors = new Set(['HoptrailError']);
  for (let before = 0; before !== errors.size;) {
    before = errors.size;
    for (const file of files)
      walk(file, (node) => {
        if (!ts.isClassDeclaration(node) || !node.name || FOR_AGENTS.has(node.name.text)) return;
        const parent = node.heritageClauses?.[0]?.types[0]?.expression.getText();
        if (parent !== undefined && errors.has(parent)) errors.add(node.name.text);
      });
  }
  return errors;
}

function wordsIn(file: ts.SourceFile, errors: ReadonlySet<string>): CodeWords[] {
  const words: CodeWords[] = [];
  const add = (node: ts.Expression): void => void words.push(...said(node));
  let makesErrors = false;
  walk(file, (node) => {
    if (!makesError(node, errors)) return;
    makesErrors = true;
    for (const argument of node.arguments ?? [])
      if (!ts.isObjectLiteralExpression(argument)) add(argument);
      else for (const property of argument.properties) if (ts.isPropertyAssignment(property)) add(property.initializer);
  });
  if (makesErrors)
    walk(file, (node) => {
      if (!ts.isPropertyAssignment(node)) return;
      const name = node.name.getText();
      if (OF_ERRORS.has(name) || (name === OF_ROUNDS && file.fileName.startsWith('learning/'))) add(node.initializer);
    });
  return words;
}

function makesError(node: ts.Node, errors: ReadonlySet<string>): node is ts.NewExpression | ts.CallExpression {
  if (ts.isNewExpression(node)) return errors.has(node.expression.getText());
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.SuperKeyword) return false;
  const around = ts.findAncestor(node, ts.isClassDeclaration);
  return around?.name !== undefined && errors.has(around.name.text);
}

/** What an expression may be, `#` where only the running program knows. */
function textsOf(node: ts.Expression, depth = 0): string[] {
  const deeper = (inner: ts.Expression): string[] => textsOf(inner, depth + 1);
  if (depth > 8) return [VALUE];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...deeper(node.whenTrue), ...deeper(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [...deeper(node.left), ...deeper(node.right)];
  if (ts.isParenthesizedExpression(node)) return deeper(node.expression);
  if (ts.isCallExpression(node) && node.expression.getText().endsWith('.trim') && node.arguments.length === 0)
    return deeper((node.expression as ts.PropertyAccessExpression).expression);
  if (ts.isIdentifier(node)) return textsOfName(node, deeper);
  if (!ts.isTemplateExpression(node)) return [VALUE];
  return node.templateSpans.reduce(
    (before, span) =>
      before.flatMap((text) => deeper(span.expression).map((value) => text + value + span.literal.text)),
    [node.head.text],
  );
}

/** Of the nearest constant or parameter of this name: its value, its default, or what its type lets it be. */
function textsOfName(name: ts.Identifier, deeper: (node: ts.Expression) => string[]): string[] {
  for (let scope: ts.Node | undefined = name.parent; scope; scope = scope.parent as ts.Node | undefined) {
    for (const declared of declaredIn(scope)) {
      if (declared.name.getText() !== name.text) continue;
      if (declared.initializer) return deeper(declared.initializer);
      const options = declared.type && ts.isUnionTypeNode(declared.type) ? declared.type.types : [];
      const texts = options.flatMap((type) =>
        ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : [],
      );
      return texts.length > 0 ? texts : [VALUE];
    }
  }
  return [VALUE];
}

function declaredIn(scope: ts.Node): readonly (ts.VariableDeclaration | ts.ParameterDeclaration)[] {
  if (ts.isFunctionLike(scope)) return [...scope.parameters];
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return [];
  return scope.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
  );
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
