import type { Embedder } from '../embedding/embedder.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import type { ChainScorer } from './chain-scorer.ts';
import type { JointEncoder } from './encoder/joint-encoder.ts';
import type { PassageProfiles } from './features/passage-profile.ts';
import type { ReaderWeights } from './reader/read-passages.ts';

export interface RetrieverPorts {
  index: PassageIndex;
  embedder: Embedder;
  scorer: ChainScorer;
  reader: ReaderWeights;
  /** The joint encoder, loaded when first asked for; undefined where there is none. */
  encoder?: () => Promise<JointEncoder | undefined>;
  /** Told why the encoder did not read: what was found, or chosen, without it stands. */
  unread?: (error: unknown) => void;
  /** Told which passages a question found: they are worth a vector before others. */
  found?: (passageIds: readonly string[]) => void;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Where profiles of passages are kept; its own when undefined. */
  profiles?: PassageProfiles;
}
