import type { LanguageModel } from '../../../llm/language-model.ts';
import type { ExperienceRecord } from './experience-record.ts';

/** Who read what was asked in a run: the language model where it is, and the embedding model of the index. */
export interface Readers {
  model?: { id: string; endpoint: string };
  embedder?: string;
}

/** What is known of who has read something. */
export type ReadBy = Pick<ExperienceRecord['source'], 'model' | 'endpoint' | 'embedder'>;

/** The readers of a run. A model that does not say where it is has read nothing that anybody could know of. */
export function readersOf(model: Pick<LanguageModel, 'id' | 'endpoint'> | undefined, embedder: string | undefined): Readers {
  return { ...(model?.endpoint !== undefined && { model: { id: model.id, endpoint: model.endpoint } }), ...(embedder ? { embedder } : {}) };
}

/**
 * Whether something may be shown to this language model: it has read it before, at the same endpoint. Records of all of a user's
 * workspaces lie together, and what was asked in one is nobody's business in another.
 */
export const mayBeShown = (readBy: ReadBy, { id, endpoint }: Pick<LanguageModel, 'id' | 'endpoint'>): boolean => endpoint !== undefined && readBy.endpoint === endpoint && readBy.model === id;

/** Whether something may be embedded by this model ('': not known which): one on this machine tells nobody, one at an endpoint must have read it before. */
export const mayBeEmbedded = ({ embedder: readBy }: ReadBy, embedder: string): boolean => isOnThisMachine(embedder) || readBy === embedder;

/** Embedding models at an endpoint are called `<model>@<address>/<dimensions>`. */
const isOnThisMachine = (embedder: string): boolean => embedder !== '' && !/@https?:\/\//u.test(embedder);

/** Host of a model's endpoint for people; undefined when it is not known. */
export function hostOf({ endpoint }: Pick<LanguageModel, 'endpoint'>): string | undefined {
  if (endpoint === undefined || !URL.canParse(endpoint)) return endpoint;
  return new URL(endpoint).host || endpoint;
}
