import path from 'node:path';
import type { Embedder } from '#search/lab';
import type { TrainingOptions } from './train-chain-scorer.ts';
import { questionsDir } from '../places.ts';
import { FOLDS, foldsOf } from './cross-validate.ts';
import { folderChains } from './folder-chains.ts';
import { readFoldMaps } from './fold-maps.ts';
import { folderSets, openFolderIndex, type FolderSet } from './folder-sets.ts';
import { loadEvidenceSet, loadWikipediaSet, WIKIPEDIA_SETS, type QuestionSet } from './question-sets.ts';
import { simulateNotes } from './simulated-notes.ts';
import { singleSteps } from './single-steps.ts';
import { CODE_SETS, loadWorkspaceSet } from './workspace-sets.ts';

const STEPS = '-steps';

/** What one pair of heads learns from. */
export interface ChainSets {
  /** Questions that are learnt from and scored by heads that did not see them, nor any about the same repository. */
  asked: QuestionSet[];
  /** Questions about the folders of lab/questions, the same; a folder's own are kept aside together. */
  folders: QuestionSet[];
  /** Questions that are only learnt from. */
  extra: QuestionSet[];
}

interface ChainSetPorts {
  embedder: Embedder;
  data: string;
  cache: string;
  /** Folders' indexes (lab/questions/index-folders.ts); undefined: no folder is learnt from. */
  indexes?: string;
  seed: number;
}

/** Wikipedia's questions, the same over simulated notes, their single steps; with `indexes`, those about notes. */
export async function proseSets(ports: ChainSetPorts, evidence: number): Promise<ChainSets> {
  const { data, embedder, seed } = ports;
  const asked: QuestionSet[] = [];
  const told = await loadEvidenceSet(data, embedder);
  const extra = [{ ...told, questions: told.questions.slice(0, evidence) }];
  for (const name of WIKIPEDIA_SETS) asked.push(await loadWikipediaSet(data, name, embedder));
  extra.push(...asked.flatMap((set) => (set.name === 'musique' ? [singleSteps(data, set)] : [])));
  for (const name of WIKIPEDIA_SETS) extra.push(await simulateNotes(data, name, embedder, seed + 10));
  return { asked, extra, folders: await folderChainSets('notes', ports) };
}

/** Repositories with questions whose files are known, and questions about folders of code. */
export async function codeSets(ports: ChainSetPorts): Promise<ChainSets> {
  const { data, embedder, cache: cacheDir } = ports;
  const asked: QuestionSet[] = [];
  for (const name of CODE_SETS) asked.push(await loadWorkspaceSet(data, name, { embedder, cacheDir }));
  return { asked, extra: [], folders: await folderChainSets('code', ports) };
}

async function folderChainSets(kind: FolderSet['kind'], ports: ChainSetPorts): Promise<QuestionSet[]> {
  const { indexes, embedder, cache } = ports;
  if (indexes === undefined) return [];
  const maps = embedder.moveQuestion && readFoldMaps(cache);
  const sets: QuestionSet[] = [];
  for (const set of folderSets([questionsDir, path.join(questionsDir, 'more')])) {
    if (set.kind !== kind) continue;
    const index = await openFolderIndex(set.name, { indexes, embedder });
    const moveQuestion = maps?.of(set.name);
    if (index) sets.push({ ...(await folderChains(set, index)), ...(moveQuestion && { moveQuestion }) });
  }
  return sets;
}

/** Folds by question, and by repository and folder: the questions about one share its words. */
export function foldsOfSets(sets: readonly ChainSets[], others: readonly QuestionSet[] = []): Map<string, number> {
  const folds = foldsOf([...sets.flatMap(({ asked, extra }) => [...asked, ...extra]), ...others]);
  for (const { asked, folders } of sets)
    [...asked.filter(isRepository), ...folders].forEach(({ questions }, i) =>
      questions.forEach(({ id }) => folds.set(id, i % FOLDS)),
    );
  return folds;
}

const isRepository = ({ questions }: QuestionSet): boolean => questions.some(({ goldIs }) => goldIs === 'files');

/** How heads learn from these sets. */
export function trainingOptions({ extra }: ChainSets, seed: number): TrainingOptions {
  return {
    seed,
    setWeights: Object.fromEntries(
      extra.map(({ name }): [string, number] => [
        name,
        name === 'hotpotqa-evidence' ? 0.4 : name.endsWith(STEPS) ? 0.5 : 0.7,
      ]),
    ),
    // To the heads for prose a link counts as naming (see namesPassage in candidate-features.ts). Numbers of links mean
    // something else in each collection of notes, so that these heads do not see them.
    keepFeature: (_, name) => name !== 'linksOut' && name !== 'linksBack',
  };
}
