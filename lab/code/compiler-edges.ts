import path from 'node:path';
import ts from 'typescript';

/** A call or an import as the compiler resolves it: `file:line name` to `file name`. */
export interface CompilerEdges {
  /** By place; null where it leads out of the project, or to a value without a name. */
  calls: Map<string, string | null>;
  imports: Map<string, string | null>;
}

export const placeKey = (file: string, line: number, name: string): string => `${file}:${line} ${name}`;

/**
 * What TypeScript's own compiler makes of the calls and imports of a project. Paths are relative to its folder. Values
 * that a declaration file tells of a script are the script's; types are its own.
 */
export function compilerEdges(folder: string): CompilerEdges {
  const config = ts.findConfigFile(folder, (file) => ts.sys.fileExists(file));
  if (config === undefined) throw new Error(`There is no tsconfig.json in ${folder}.`);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    path.dirname(config),
  );
  const program = ts.createProgram(fileNames, { ...options, noEmit: true, incremental: false, composite: false });
  const checker = program.getTypeChecker();
  const edges: CompilerEdges = { calls: new Map(), imports: new Map() };
  const shown = (file: string): string => path.relative(folder, file).split(path.sep).join('/');
  const isOwn = (file: ts.SourceFile): boolean =>
    !shown(file.fileName).startsWith('..') && !file.fileName.includes('/node_modules/');
  const fileOf = (symbol: ts.Symbol, { fileName }: ts.SourceFile): string => {
    const script = fileName.replace(/\.d\.([mc]?)ts$/, '.$1js');
    return shown(symbol.flags & ts.SymbolFlags.Value && ts.sys.fileExists(script) ? script : fileName);
  };

  const targetOf = (node: ts.Node): string | null => {
    let symbol = checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const declaration = symbol?.declarations?.[0];
    if (!symbol || !declaration || !isOwn(declaration.getSourceFile())) return null;
    if (ts.isParameter(declaration) || ts.isBindingElement(declaration)) return null;
    const name = ts.getNameOfDeclaration(declaration);
    return name && ts.isIdentifier(name) ? `${fileOf(symbol, declaration.getSourceFile())} ${name.text}` : null;
  };
  const lineOf = (node: ts.Node): number =>
    node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

  for (const file of program.getSourceFiles().filter(isOwn)) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
        if (ts.isIdentifier(callee))
          edges.calls.set(
            placeKey(shown(file.fileName), lineOf(callee), callee.text),
            localToNull(targetOf(callee), callee),
          );
      }
      if (ts.isImportSpecifier(node)) {
        const name = node.propertyName ?? node.name;
        edges.imports.set(
          placeKey(shown(file.fileName), lineOf(node.parent.parent.parent), name.text),
          targetOf(node.name),
        );
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return edges;

  /** A value of a function is nobody else's: such a call leads nowhere that could be listed. */
  function localToNull(target: string | null, callee: ts.Node): string | null {
    const symbol = checker.getSymbolAtLocation(callee);
    const declaration = symbol?.declarations?.[0];
    if (!declaration || !ts.isVariableDeclaration(declaration)) return target;
    const { initializer } = declaration;
    const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
    return isFunction || ts.isSourceFile(declaration.parent.parent.parent) ? target : null;
  }
}
