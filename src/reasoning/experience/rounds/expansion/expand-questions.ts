import { BadReplyError } from '../../../../llm/errors.ts';
import { throwIfAborted } from '../../../../llm/abort.ts';
import type { LanguageModel } from '../../../../llm/language-model.ts';
import type { Passage } from '../../../../model/passage.ts';
import type { Retriever } from '../../../../retrieval/retriever.ts';
import { speaksToModel } from '../../records/find-poison.ts';
import { Patience } from '../model-calls.ts';
import { carriesByModel, carriesByReader, checkHops, type Rejection } from './check-question.ts';
import { findBridges, type Bridge } from './find-bridges.ts';
import { templateQuestions, type MadeQuestion } from './question-templates.ts';
import { writeQuestion } from './write-question.ts';
import { cosine } from '../../../../retrieval/cosine.ts';

/** A question made from the workspace itself, with its gold answer and trail. */
export interface ExpandedQuestion extends MadeQuestion {
  /** The trail: both passages, in the order in which they are needed. */
  passageIds: [string, string];
  by: 'template' | 'model';
}

export interface ExpansionPorts {
  /** Passages to make questions from. */
  passages: readonly Passage[];
  retriever: Pick<Retriever, 'read' | 'embed'>;
  /** undefined: questions by templates, checked by the extractive reader. */
  model?: LanguageModel;
  /** Questions that are known already: asked, kept, made before. */
  known: readonly string[];
  /** From 0 inclusive to 1 exclusive: which bridges are tried first. */
  random(): number;
  onProgress?(made: number, wanted: number): void;
}

export interface Expansion {
  questions: ExpandedQuestion[];
  bridges: number;
  rejected: Record<Rejection | 'unusable', number>;
  /** Why the model was not asked any more before there were enough; absent: it was, or there is none. */
  problem?: unknown;
}

/** Cosine with a known question from which on a question is not new. */
const KNOWN = 0.92;
/** Bridges tried per question wanted. */
const TRIES = 6;

/**
 * RISE's expansion of the question set (He et al. 2025), from chains of this workspace: at most `count` questions, each answerable,
 * each needing both of its passages, none like another or like a known one. The same input gives the same questions.
 */
export async function expandQuestions({ passages, retriever, model, known, random, onProgress }: ExpansionPorts, count: number, signal: AbortSignal): Promise<Expansion> {
  const bridges = shuffle(findBridges(passages).filter(({ from, to }) => ![from, to].some((passage) => speaksToModel(passage.text))), random);
  const carries = model ? carriesByModel(model) : carriesByReader(retriever);
  const vectors = known.length > 0 ? await retriever.embed(known, signal) : [];
  const expansion: Expansion = { questions: [], bridges: bridges.length, rejected: { 'not-answerable': 0, 'hop-not-needed': 0, 'not-new': 0, unusable: 0 } };
  const take = async (bridge: Bridge): Promise<void> => {
    const candidates = model ? await written(bridge, model, signal) : templateQuestions(bridge);
    if (candidates.length === 0) expansion.rejected.unusable += 1;
    for (const made of candidates) {
      const [vector = new Float32Array()] = await retriever.embed([made.question], signal);
      const rejection = vectors.some((other) => cosine(other, vector) >= KNOWN) ? 'not-new' : await checkHops(made, bridge, carries, signal);
      if (rejection) {
        expansion.rejected[rejection] += 1;
        continue;
      }
      vectors.push(vector);
      expansion.questions.push({ ...made, passageIds: [bridge.from.id, bridge.to.id], by: model ? 'model' : 'template' });
      return; // one question a bridge
    }
  };
  const patience = new Patience();
  for (const bridge of bridges.slice(0, count * TRIES)) {
    if (expansion.questions.length >= count || patience.lost !== undefined) break;
    throwIfAborted(signal);
    if (!model) await take(bridge);
    else if ((await patience.attempt(signal, async () => { await take(bridge); return true; })) === undefined) expansion.rejected.unusable += 1;
    onProgress?.(expansion.questions.length, count);
  }
  return { ...expansion, ...(patience.lost !== undefined && { problem: patience.lost }) };
}

/** A reply that breaks the form costs this bridge and no more. */
async function written(bridge: Bridge, model: LanguageModel, signal: AbortSignal): Promise<MadeQuestion[]> {
  try {
    const made = await writeQuestion(bridge, model, signal);
    return made ? [made] : [];
  } catch (error) {
    if (error instanceof BadReplyError) return [];
    throw error;
  }
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}
