/**
 * Checks the calls and imports that references resolve against TypeScript's own compiler: `node --import tsx
 * lab/code/check-references.ts DIR`, where DIR has a tsconfig.json; or against the edges in a file: `--edges FILE`, as
 * `python_edges.py` writes them. Prints precision and recall; `--wrong` and `--missed` list the places.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { ReferenceGraph } from '#search/lab';
import { graphOf } from '../heads/memory-passage-index.ts';
import { readFolder } from '../read-folder.ts';
import { type CompilerEdges, compilerEdges, placeKey } from './compiler-edges.ts';
import { compareEdges, type Comparison } from './compare-edges.ts';

/** Sure edges of the graph in the compiler's form. */
function resolvedEdges(graph: ReferenceGraph): { calls: Map<string, string>; imports: Map<string, string> } {
  const [calls, imports] = [new Map<string, string>(), new Map<string, string>()];
  for (const file of graph.program.files.values()) {
    for (const use of file.uses.filter(({ kind }) => kind === 'call' || kind === 'throw'))
      for (const { to, confidence } of graph.edgesOf(use))
        if (confidence >= 0.5) calls.set(placeKey(file.path, use.line, use.name), `${to.file.path} ${to.name}`);
    for (const { module, names, line } of file.imports)
      for (const { name } of names) {
        const [target] = graph.importedSymbol(module, name, file);
        if (target) imports.set(placeKey(file.path, line, name), `${target.file.path} ${target.name}`);
      }
  }
  return { calls, imports };
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
const shown = (name: string, { precision, recall, resolved, gold }: Comparison): string =>
  `${name}: precision ${percent(precision)} of ${resolved}, recall ${percent(recall)} of ${gold}`;

const edgesOfFile = z.record(z.string(), z.string().nullable()).transform((edges) => new Map(Object.entries(edges)));
const edgesFile = z.object({ calls: edgesOfFile, imports: edgesOfFile });
const edgesIn = (file: string): CompilerEdges => edgesFile.parse(JSON.parse(readFileSync(file, 'utf8')));

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { edges: { type: 'string' }, wrong: { type: 'boolean' }, missed: { type: 'boolean' } },
});
const folder = path.resolve(positionals[0] ?? '.');
const expected = options.edges === undefined ? compilerEdges(folder) : edgesIn(options.edges);
const found = resolvedEdges(await graphOf(await readFolder(folder, { useGitignore: true })));
for (const kind of ['calls', 'imports'] as const) {
  const comparison = compareEdges(found[kind], expected[kind]);
  process.stdout.write(`${shown(kind, comparison)}\n`);
  if (options.wrong) for (const line of comparison.wrong) process.stdout.write(`  ${line}\n`);
  if (options.missed) for (const line of comparison.missed) process.stdout.write(`  ${line}\n`);
}
