import path from 'node:path';
import ts from 'typescript';
import { doors } from './import-rules.ts';

/** Every name of a module: for `export *`, `import * as` and `import('…')`. */
const ALL = '*';

interface Module {
  /** What it exports itself, by the name that others see. */
  own: Set<string>;
  /** What it passes on: the name that others see, the module, and the name there; `*` for all. */
  passed: { name: string; from: string; there: string }[];
  /** What it uses of others. */
  used: { from: string; name: string }[];
}

/**
 * What modules export and no other module uses, as `FILE NAME`. A name that a door passes on is used where somebody
 * imports it from the door.
 *
 * @param sources Texts of all modules by their paths from the top.
 */
export function unusedExports(sources: ReadonlyMap<string, string>): string[] {
  const modules = new Map([...sources].map(([file, source]) => [file, moduleOf(file, source)]));
  const used = new Map<string, Set<string>>();
  const use = (file: string, name: string): void => {
    const module = modules.get(file);
    const names = used.get(file) ?? new Set();
    if (!module || names.has(name)) return;
    used.set(file, names.add(name));
    for (const { name: seen, from, there } of module.passed) {
      if (seen === ALL) use(from, name);
      else if (name === seen || name === ALL) use(from, there);
    }
  };
  for (const module of modules.values()) for (const { from, name } of module.used) use(from, name);
  return [...modules].flatMap(([file, { own, passed }]) => {
    const names = used.get(file);
    if (names?.has(ALL)) return [];
    const given = [...own, ...passed.map(({ name }) => name).filter((name) => name !== ALL)];
    return given.filter((name) => !names?.has(name)).map((name) => `${file} ${name}`);
  });
}

function moduleOf(file: string, source: string): Module {
  const module: Module = { own: new Set(), passed: [], used: [] };
  const target = (node: ts.Node | undefined): string | undefined => {
    if (!node || !ts.isStringLiteralLike(node)) return undefined;
    const { text } = node;
    if (text.startsWith('#')) return path.posix.normalize(doors[text] ?? '');
    return text.startsWith('.') ? path.posix.join(path.posix.dirname(file), text) : undefined;
  };
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) addImport(module, node, target(node.moduleSpecifier));
    else if (ts.isExportDeclaration(node)) addPassed(module, node, target(node.moduleSpecifier));
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const from = target(node.arguments[0]);
      if (from !== undefined) module.used.push({ from, name: ALL });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = target(node.argument.literal);
      if (from !== undefined) module.used.push({ from, name: node.qualifier?.getText().split('.')[0] ?? ALL });
    } else if (ts.canHaveModifiers(node) && node.parent === tree)
      if (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
        for (const name of namesOf(node)) module.own.add(name);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return module;
}

function addImport(module: Module, { importClause }: ts.ImportDeclaration, from: string | undefined): void {
  const bindings = importClause?.namedBindings;
  if (from === undefined || !importClause) return;
  if (importClause.name || (bindings && ts.isNamespaceImport(bindings))) module.used.push({ from, name: ALL });
  else if (bindings && ts.isNamedImports(bindings))
    for (const { propertyName, name } of bindings.elements)
      module.used.push({ from, name: (propertyName ?? name).text });
}

function addPassed(module: Module, { exportClause }: ts.ExportDeclaration, from: string | undefined): void {
  if (exportClause && ts.isNamedExports(exportClause))
    for (const { propertyName, name } of exportClause.elements)
      if (from === undefined) module.own.add(name.text);
      else module.passed.push({ name: name.text, from, there: (propertyName ?? name).text });
  else if (from !== undefined) module.passed.push({ name: ALL, from, there: ALL });
}

function namesOf(node: ts.Node): string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((each) => (each as ts.BindingElement).name.getText()),
    );
  return 'name' in node && node.name ? [(node.name as ts.Identifier).text] : [];
}
