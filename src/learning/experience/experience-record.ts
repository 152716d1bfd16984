import { z } from 'zod';
import { hashOf, withoutTrailingSlashes } from '#base';
import type { LanguageModel } from '#research';

const passageShape = z.object({
  id: z.string(),
  path: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  title: z.string(),
  text: z.string(),
});
const exchangeShape = z.object({ question: z.string(), answer: z.string() });
export const messageShape = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  toolCalls: z
    .array(z.object({ id: z.string(), name: z.string(), arguments: z.string() }))
    .readonly()
    .optional(),
  toolCallId: z.string().optional(),
});
/** A conversation as it was sent, and the reply as it came. */
const sentShape = z.object({ messages: z.array(messageShape).min(1), reply: z.string() });

const common = {
  version: z.literal(1),
  /** Hash of what is asked, not of what is answered: a newer record replaces an older one. */
  id: z.string(),
  /** The run's question: records of one question are never split between training and held-out. */
  runQuestion: z.string(),
  source: z.object({
    runId: z.string(),
    stepId: z.string().nullable(),
    /** Milliseconds since the epoch, of a day that there is (ECMA-262, §21.4.1.1). */
    time: z.number().min(-8.64e15).max(8.64e15),
    /** Model id; null without one. */
    model: z.string().nullable(),
    /** Endpoint at which that model read it; absent where it is not known, as in records of earlier versions. */
    endpoint: z.string().optional(),
    /** Embedding model of the index that the run searched; absent: not known. */
    embedder: z.string().optional(),
  }),
  /** Why the run counts as having ended well. */
  outcome: z.array(z.enum(['citations', 'critique', 'thumb', 'gold'])),
  /**
   * `upload`: a person agreed that this record is sent to a fine-tuning service. It permits nothing else: which model
   * may see the record in a prompt is decided by {@link mayBeShown}.
   */
  consent: z.enum(['local', 'upload']),
  /** The call of the run that this record answers; absent: there was none, or an earlier version did not keep it. */
  sent: sentShape.optional(),
};

const decompositionShape = z.object({
  kind: z.literal('decomposition'),
  ...common,
  history: z.array(exchangeShape),
  /** Sub-questions that were tried at this place and rejected. */
  rejected: z.array(z.object({ question: z.string(), reason: z.string() })),
  /** The sub-question that was kept; null: stop, enough is known. */
  next: z.string().nullable(),
});

const readingShape = z.object({
  kind: z.literal('reading'),
  ...common,
  question: z.string(),
  passages: z.array(passageShape),
  answer: z.string(),
  /** Passages that the answer rests on, of those above. */
  passageIds: z.array(z.string()),
});

const critiqueShape = z.object({
  kind: z.literal('critique'),
  ...common,
  history: z.array(exchangeShape),
  node: z.object({ question: z.string(), answer: z.string(), /** What it rests on, quoted. */ evidence: z.string() }),
  verdict: z.enum(['keep', 'redundant', 'irrelevant', 'unsupported']),
  reason: z.string(),
  /** Who gave it: a model, or the rules that judge by the evidence. Earlier versions kept only those of models. */
  by: z.enum(['model', 'evidence']).default('model'),
});

/** One line of the experience store: RISE's D_d, D_r or D_c (He et al. 2025). */
export const experienceShape = z.discriminatedUnion('kind', [decompositionShape, readingShape, critiqueShape]);

export type DecompositionRecord = z.infer<typeof decompositionShape>;
export type ExperienceRecord = z.infer<typeof experienceShape>;
export type ExperienceKind = ExperienceRecord['kind'];

/**
 * Whether the call of a record shows one of these questions of other runs, as an example say: the words of the question
 * stand in its messages, whatever the case and the marks between them. Questions are given as {@link wordsOf} them.
 */
export function showsQuestion({ sent, runQuestion }: ExperienceRecord, questions: ReadonlySet<string>): boolean {
  if (!sent || questions.size === 0) return false;
  const own = wordsOf(runQuestion);
  const shown = wordsOf(sent.messages.map(({ content }) => content).join('\n'));
  return [...questions].some((question) => question.trim() !== '' && question !== own && shown.includes(question));
}

/** The words of a text in small letters with single blanks between and around them. */
export const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Id of a record by what is asked in it: case and spaces do not count. */
export function experienceId(kind: ExperienceKind, asked: readonly unknown[]): string {
  const text = JSON.stringify([kind, ...asked]).toLowerCase();
  return hashOf(text.replace(/\s+/gu, ' '), 24);
}

/**
 * The models that read the texts of a run: the language model with its endpoint, and the embedding model of the index.
 */
export interface Provenance {
  model?: { id: string; endpoint: string };
  embedder?: string;
}

/** The source fields of a record that say which models have read it. */
type ReadBy = Pick<ExperienceRecord['source'], 'model' | 'endpoint' | 'embedder'>;

/**
 * The provenance of what a run records. A language model without an endpoint is left out: later runs could not tell
 * whether it is the same.
 */
export function provenanceOf(
  model: Pick<LanguageModel, 'id' | 'endpoint'> | undefined,
  embedder: string | undefined,
): Provenance {
  return {
    ...(model?.endpoint !== undefined && { model: { id: model.id, endpoint: model.endpoint } }),
    ...(embedder ? { embedder } : {}),
  };
}

/**
 * Whether a record may be shown to this language model: only if the same model at the same endpoint has read it before.
 * The records of all workspaces of a user lie in one file, and what was asked in one workspace must not reach the model
 * that another one uses.
 */
export const mayBeShown = (readBy: ReadBy, { id, endpoint }: Pick<LanguageModel, 'id' | 'endpoint'>): boolean =>
  endpoint !== undefined &&
  readBy.endpoint !== undefined &&
  withoutTrailingSlashes(readBy.endpoint) === withoutTrailingSlashes(endpoint) &&
  readBy.model === id;

/**
 * Whether a record may be given to this embedding model ('' when it is not known which): a model on this machine always
 * may have it, one at an endpoint only if it has read the record before.
 */
export const mayBeEmbedded = ({ embedder: readBy }: ReadBy, embedder: string): boolean =>
  isOnThisMachine(embedder) || readBy === embedder;

/** Embedding models at an endpoint are called `<model>@<address>/<dimensions>`. */
const isOnThisMachine = (embedder: string): boolean => embedder !== '' && !/@https?:\/\//u.test(embedder);

/** Host of a model's endpoint for people; undefined when it is not known. */
export function hostOf({ endpoint }: Pick<LanguageModel, 'endpoint'>): string | undefined {
  if (endpoint === undefined || !URL.canParse(endpoint)) return endpoint;
  return new URL(endpoint).host || endpoint;
}
