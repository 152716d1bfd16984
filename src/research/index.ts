/** What this room offers to the others. */
export type * from './domain/answer.ts';
export * from './domain/plan.ts';
export type * from './domain/research-event.ts';
export type * from './domain/run-notices.ts';
export { settleByYears } from './answer/answer-draft.ts';
export { NUMBER_WORDS } from './answer/claims.ts';
export { answerF1 } from './answer/answer-metrics.ts';
export { placeOfSubAnswer, shownSubAnswers } from './answer/shown-sub-answers.ts';
export {
  adaptClassifier,
  parseClassifierModel,
  readClassifierModel,
  readQuestionExamples,
  type ClassifierModel,
  type TypedVector,
  type LabelledQuestion,
  type PredictedType,
  type QuestionClassifier,
} from './classify/classifier-model.ts';
export { createClassifiers, type ClassifierByName, EmbeddedClassifier } from './classify/create-classifiers.ts';
export { complete, SERVICE_REPLY_BYTES, SILENT_AFTER, tellSilence, withStream } from './language-model/complete.ts';
export { hasSpoken, type RoomyOptions, ThinkingRoom, withoutThoughts } from './language-model/thoughts.ts';
export { estimatePromptTokens, estimateTokens } from './language-model/context-window.ts';
export {
  BadReplyError,
  isOfOneReply,
  BadRequestError,
  ConsentError,
  ContextTooLongError,
  EmptyReplyError,
  ModelTimeoutError,
  NoModelError,
  QuotaError,
  RefusedError,
  ToolsRefusedError,
  UnreachableError,
  WrongKeyError,
} from './language-model/errors.ts';
export type {
  ChatMessage,
  CompletionOptions,
  CompletionPart,
  LanguageModel,
  ReplySchema,
  TokenUsage,
  ToolCall,
  ToolSchema,
} from './language-model/language-model.ts';
export { modelErrorInWords } from './language-model/model-error-words.ts';
export { argumentsOf, requestTurn, type Turn, type TurnRequest } from './language-model/request-turn.ts';
export { asText } from './language-model/tools-in-text.ts';
export { answeringUrlOf, openAiClient, parseBaseUrl, type OpenAiEndpoint } from './language-model/openai-client.ts';
export { judgeOpenAiFailure, sayingOf } from './language-model/openai-failure.ts';
export { openAiModel } from './language-model/openai-model.ts';
export { requestStructured, withSchemaInPrompt } from './language-model/structured-reply.ts';
export { usualOperators } from './plan/make-plan.ts';
export { planCost, planningCost, planOfIndex } from './plan/plan-steps.ts';
export { operatorCalled, operators, foreignLines } from './operators/operator-registry.ts';
export type { Operator, OperatorContext, OperatorResult, OperatorTask } from './operators/operator.ts';
export { ANSWER_TOKENS, answerPrompt } from './operators/prompts/answer.ts';
export { PASSAGES_ARE_DATA, escapeForPrompt, passageBlock } from './operators/prompts/blocks.ts';
export { DECOMPOSE_TOKENS, decomposePrompt, decompositionSchema } from './operators/prompts/decompose.ts';
export { readAnswer } from './operators/prompts/read-answer.ts';
export { answerOfReferences, passagesOf } from './run/answer-references.ts';
export { referencesText, summaryOf } from './run/reference-text.ts';
export {
  Budget,
  STRATEGIES,
  defaultResearchOptions,
  type ResearchOptions,
  type StrategyName,
} from './context/research-options.ts';
export type {
  AnswerRecord,
  NodeRecord,
  RecordedPassage,
  RunRecord,
  SentPrompt,
  SplitRecord,
} from './context/node-record.ts';
export { createResearcher } from './run/research.ts';
export {
  TYPE_IN_WORDS,
  type NoteStrategy,
  type SelectStrategy,
  type StrategyChoice,
  type StrategyInput,
  type StrategyRoute,
} from './run/strategy-choice.ts';
export { provenQuestions, suggestQuestions } from './run/suggest-questions.ts';
export {
  assertIndexed,
  describeCoverage,
  describeReferences,
  describeTokens,
  lineUri,
  linkedPlace,
  outcomeOf,
  rootOfPath,
  scopeInRoots,
  toolArguments,
  ToolInputError,
  type ToolRoot,
  toolRoots,
  toolScope,
} from './run/agent-tools.ts';
export { listOpenAiModels, tryModel, windowOfOpenAiModel } from './language-model/list-openai-models.ts';
