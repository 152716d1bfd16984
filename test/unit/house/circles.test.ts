import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import ts from 'typescript';
import { doors } from '../../../scripts/testing/import-rules.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

type Imports = ReadonlyMap<string, readonly string[]>;

/** The file of the project that an import of `from` names, from the top; undefined for one of a library. */
function fileOf(from: string, specifier: string): string | undefined {
  const target = specifier.startsWith('#') ? doors[specifier] : path.posix.join(path.posix.dirname(from), specifier);
  assert.ok(target !== undefined, `${from}: no door is called ${specifier}`);
  return specifier.startsWith('#') || specifier.startsWith('.') ? path.posix.normalize(target) : undefined;
}

/** Who imports whom below these folders, types too. */
function importsBelow(folders: readonly string[]): Imports {
  const files = filesBelow(...folders).filter((name) => name.endsWith('.ts'));
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readRepository(file));
      const targets = importedFiles.flatMap(({ fileName }) => fileOf(file, fileName) ?? []);
      const missing = targets.find((target) => !existsSync(path.join(repositoryRoot, target)));
      assert.equal(missing, undefined, `${file} imports what is not there`);
      return [file, targets];
    }),
  );
}

/** A circle of files for each import that leads back to where a walk came from. */
function circles(imports: Imports): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) found.push(way.slice(start));
    if (start >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return found;
}

describe('imports', () => {
  it('that lead back to their own file are found', () => {
    const made = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
      ['d', ['b']],
    ]);
    assert.deepEqual(circles(made), [['b', 'd']]);
  });

  it('make no circle', () => {
    const imports = importsBelow(['src', 'webview', 'scripts', 'lab']);
    assert.ok(imports.get('webview/main.ts')?.includes('webview/panel.ts'), 'what a file imports is not found');
    assert.ok(imports.get('src/research/run/run-state.ts')?.includes('src/search/index.ts'), 'nor through a door');
    assert.deepEqual(circles(imports), []);
  });
});
