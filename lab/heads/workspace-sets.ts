import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPassageSource, type Embedder, LinkResolver, type Passage, passageEmbeddingText } from '#search/lab';
import { loadQuestions } from '../evaluation/dataset.ts';
import { MemoryPassageIndex } from './memory-passage-index.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';

/** Repositories with questions whose right answers rest on known files. */
export const CODE_SETS = ['flask', 'requests'] as const;

export interface WorkspacePorts {
  embedder: Embedder;
  /** Where checkouts are unpacked; kept between runs. */
  cacheDir: string;
  /** The repository's root: grammars are found in its node_modules. */
  packageRoot: string;
}

/** A checkout read as the product reads a folder, with its questions. */
export async function loadWorkspaceSet(dataDir: string, name: string, ports: WorkspacePorts): Promise<QuestionSet> {
  const passages = await readWorkspace(unpack(dataDir, name, ports.cacheDir), name, ports);
  const vectors = await ports.embedder.embedPassages(passages.map(passageEmbeddingText));
  const questions = loadQuestions(path.join(dataDir, 'code', `${name}.jsonl`)).map((question): TrainingQuestion => ({
    id: question.id,
    set: name,
    question: question.question,
    answer: question.answer,
    gold: question.files ?? [],
    goldIs: 'files',
  }));
  return {
    name,
    index: new MemoryPassageIndex(passages.map((passage, i) => ({ ...passage, vector: vectors[i] }))),
    questions,
  };
}

function unpack(dataDir: string, name: string, cacheDir: string): string {
  const folder = path.join(cacheDir, name);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', path.join(dataDir, 'code', `${name}.tar.gz`), '-C', folder]);
  }
  const entries = readdirSync(folder);
  // Checkouts are packed in one folder or bare.
  return entries.length === 1 ? path.join(folder, entries[0] ?? '') : folder;
}

async function readWorkspace(
  folder: string,
  name: string,
  { embedder, packageRoot }: WorkspacePorts,
): Promise<Passage[]> {
  const source = createPassageSource(
    {
      roots: [{ uri: pathToFileURL(folder).href, name }],
      excludeGlobs: [],
      useGitignore: false,
      maxFileBytes: 5 * 1024 * 1024,
    },
    { countTokens: (text) => embedder.countTokens(text), wasmDir: packageRoot },
  );
  const passages: Passage[] = [];
  for await (const event of source.crawl()) {
    if (event.type === 'skipped') continue;
    const read = await source.read(event.file);
    if (!('reason' in read)) passages.push(...read.passages);
  }
  source.close();
  return new LinkResolver(new Set(passages.map((passage) => passage.path))).resolve(passages);
}
