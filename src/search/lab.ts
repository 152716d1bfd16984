export * from './index.ts';
export { linkKeys, nameKeys } from './domain/link-keys.ts';
export type { Embedder, QuestionMap } from './embedding/embedder.ts';
export {
  packQuestionMap,
  type PackedQuestionMap,
  QUESTION_MAP,
  readQuestionMap,
  unpackQuestionMap,
} from './embedding/question-map.ts';
export { openOnnxEmbedder, openEmbedder } from './embedding/open-embedder.ts';
export { createIndexService } from './indexer/create-index-service.ts';
export { CodeParser } from './reading/code/code-parser.ts';
export { passageEmbeddingText } from './reading/passage-identity.ts';
export { isDocument } from './reading/formats/file-formats.ts';
export { readSourceFile } from './reading/read-file.ts';
export { readingLimits } from './reading/reading-limits.ts';
export { LinkResolver } from './reading/resolve-links.ts';
export { decodeText } from './reading/text/decode-text.ts';
export { readChainScorerWeights, type ChainHeads, type HeadName } from './retrieval/chain-scorer.ts';
export { decide, type BeamChain } from './retrieval/chain/beam-search.ts';
export { searchChains, type FoundChains } from './retrieval/chain/chain-search.ts';
export { rankAllHits, rankHits } from './retrieval/chain/rank-hits.ts';
export { createRetriever } from './retrieval/create-retriever.ts';
export { FeatureChainScorer, FeatureScorer, type Rivals } from './retrieval/feature-chain-scorer.ts';
export { FeatureTable } from './retrieval/features/feature-table.ts';
export { PassageProfiles, formOf, isCodePassage, type PassageProfile } from './retrieval/features/passage-profile.ts';
export { analyseQuestion, type AnalysedQuestion } from './retrieval/question.ts';
export { predictTable, predictTrees, type Model, type Tree } from './retrieval/heads/model.ts';
export { candidateOf } from './retrieval/encoder/input-layout.ts';
export { type JointEncoder, openJointEncoder } from './retrieval/encoder/joint-encoder.ts';
export {
  encodePassages,
  MOST_ENCODED,
  passagesOfBest,
  readAlone,
  worthReadingAlone,
} from './retrieval/reader/encode-units.ts';
export {
  embedSentences,
  interpret,
  rankUnits,
  readReaderWeights,
  type ReaderWeights,
} from './retrieval/reader/read-passages.ts';
export { type ReadSentence, sentencesOf } from './retrieval/reader/read-units.ts';
export { answerFeatures, unitFeatures } from './retrieval/reader/unit-features.ts';
export { locatePhrase, phraseForm } from './text/words.ts';
export { ReferenceGraph } from './references/reference-graph.ts';
export { readProgram } from './references/program.ts';
export { openStore } from './store/index-store.ts';
export { createIndexLayout } from './store/index-layout.ts';
export type {
  IndexQueryOptions,
  IndexedPassage,
  ListQuery,
  PassageIndex,
  PassageRef,
  RankedPassage,
  ScoredPassage,
} from './store/passage-index.ts';
