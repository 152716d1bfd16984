import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type Embedder, LinkResolver } from '#search/lab';
import { type DatasetQuestion, loadQuestions } from '../evaluation/dataset.ts';
import { readFolder } from '../read-folder.ts';
import { embeddedIndex } from './memory-passage-index.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';

/** Repositories with questions whose right answers rest on known files. */
export const CODE_SETS = ['flask', 'requests'] as const;

/** A repository, packed, with the questions about it. */
interface CodeTree {
  name: string;
  /** Its `.tar.gz`. */
  archive: string;
  questions: DatasetQuestion[];
}

function namedTree(dataDir: string, name: string, kind: 'code' | 'answers'): CodeTree {
  const base = path.join(dataDir, kind, name);
  const questions = loadQuestions(`${base}.jsonl`).filter(({ type }) => type !== 'null');
  return { name, archive: `${base}.tar.gz`, questions };
}

interface WorkspacePorts {
  embedder: Embedder;
  /** Where checkouts are unpacked; kept between runs. */
  cacheDir: string;
}

/** The repository of one of {@link CODE_SETS}, read as the product reads a folder, with its questions. */
export const loadWorkspaceSet = (dataDir: string, name: string, ports: WorkspacePorts): Promise<QuestionSet> =>
  loadTree(namedTree(dataDir, name, 'code'), ports);

/** A repository read as the product reads a folder, with its questions. */
async function loadTree(
  { name, archive, questions }: CodeTree,
  { embedder, cacheDir }: WorkspacePorts,
): Promise<QuestionSet> {
  const read = await readFolder(unpack(archive, path.join(cacheDir, name)), {
    useGitignore: false,
    countTokens: (text) => embedder.countTokens(text),
  });
  const passages = new LinkResolver(new Set(read.map((passage) => passage.path))).resolve(read);
  return {
    name,
    index: await embeddedIndex(passages, embedder),
    questions: questions.map(({ id, question, answer, files }): TrainingQuestion => ({
      id,
      set: name,
      question,
      answer,
      gold: files ?? [],
      goldIs: 'files',
    })),
  };
}

function unpack(archive: string, folder: string): string {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
  }
  const entries = readdirSync(folder);
  // Checkouts are packed in one folder or bare.
  return entries.length === 1 ? path.join(folder, entries[0] ?? '') : folder;
}
