/** What this room offers to the others. */
export type * from './domain/answer.ts';
export * from './domain/plan.ts';
export type * from './domain/research-event.ts';
export type * from './domain/run-notices.ts';
export { Haystack, termsOf } from './check/terms.ts';
export {
  type ClassifierByName,
  type ClassifierModel,
  createClassifiers,
  type LabelledQuestion,
  parseClassifierModel,
  type PredictedType,
  type QuestionClassifier,
  readClassifierModel,
  readQuestionExamples,
} from './classify/classifiers.ts';
export type * from './context/node-record.ts';
export * from './context/research-options.ts';
export { escapeForPrompt, speaksToModel } from './evidence/fence.ts';
export { complete, SERVICE_REPLY_BYTES, SILENT_AFTER, tellSilence, withStream } from './language-model/complete.ts';
export * from './language-model/called-model.ts';
export { withoutThoughts } from './language-model/thoughts.ts';
export { estimatePromptTokens, estimateTokens } from './language-model/context-window.ts';
export * from './language-model/errors.ts';
export type * from './language-model/language-model.ts';
export { argumentsOf, asText, requestTurn } from './language-model/request-turn.ts';
export { answeringUrlOf, openAiClient, parseBaseUrl, type OpenAiEndpoint } from './language-model/openai-client.ts';
export { judgeOpenAiFailure, sayingOf } from './language-model/openai-failure.ts';
export { openAiModel } from './language-model/openai-model.ts';
export { requestStructured, withSchemaInPrompt } from './language-model/structured-reply.ts';
export { listOpenAiModels, tryModel, windowOfOpenAiModel } from './language-model/openai-models.ts';
export type * from './operators/operator.ts';
export { foreignLines, operatorCalled, operators } from './operators/operator-registry.ts';
export { usualOperators } from './plan/make-plan.ts';
export * from './plan/strategy-choice.ts';
export { createResearcher } from './run/research.ts';
export { provenQuestions, suggestQuestions } from './run/suggest-questions.ts';
export { assertIndexed, describeCoverage, describeTokens, linkedPlace, outcomeOf } from './tools/agent-words.ts';
export { referencesText } from './tools/references-tool.ts';
export { type Tool, type ToolContext, ToolInputError, type ToolResult } from './tools/tool.ts';
export { tools } from './tools/tool-table.ts';
