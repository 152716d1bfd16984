import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addTo } from '#base';
import { UsageError } from '#cli/lab';
import type { DatasetQuestion } from '../evaluation/dataset.ts';

/** Questions by the tree that they are about, in file order. Questions that name none are left out. */
export function questionsByTree(questions: readonly DatasetQuestion[]): Map<string, DatasetQuestion[]> {
  const trees = new Map<string, DatasetQuestion[]>();
  for (const question of questions) {
    if (question.tree !== undefined) addTo(trees, question.tree, question);
  }
  return trees;
}

/**
 * Uses the folder of a tree below `trees`: the folder of its name, else what is packed in `NAME.tar.gz`, unpacked for
 * so long. @throws UsageError where there is neither
 */
export async function withTree<T>(trees: string, name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(trees, name);
  if (
    await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
  )
    return use(folder);
  const packed = join(trees, `${name}.tar.gz`);
  if (!/^[\w.-]+$/.test(name) || !existsSync(packed))
    throw new UsageError(`There is neither a folder ${name} nor ${name}.tar.gz in ${trees}.`, {
      advice: 'Each question names its tree; --trees is the folder that holds them.',
    });
  const unpacked = await mkdtemp(join(tmpdir(), 'hoptrail-tree-'));
  try {
    await promisify(execFile)('tar', ['-xzf', packed, '-C', unpacked]);
    const inner = join(unpacked, name);
    return await use(existsSync(inner) ? inner : unpacked);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}
