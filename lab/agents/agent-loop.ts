import { z } from 'zod';
import {
  argumentsOf,
  type ChatMessage,
  jsonSchemaOf,
  type LanguageModel,
  readStructured,
  repairMessages,
  requestTurn,
  type ToolSchema,
  type Usage,
} from '#research/lab';

/** A tool of a bare reader: its schema, and what a call gives. Thrown errors are shown to the model. */
export interface AgentTool extends ToolSchema {
  run(input: Record<string, unknown>): Promise<string>;
}

interface AgentLimits {
  /** Most calls of tools; then the model must answer. */
  calls: number;
  /** Characters of a result that the model is shown. */
  resultCharacters: number;
}

const replyShape = z.object({
  /** The answer with `path:line` for each statement. */
  answer: z.string(),
  /** The answer in a few words; empty if there is none. */
  short: z.string(),
  /** The folder does not answer the question. */
  none: z.boolean(),
});

/** How a bare reader answered, and at what cost. */
export interface AgentRun extends z.infer<typeof replyShape> {
  usage: Usage;
  looks: { tool: string; input: unknown }[];
}

const INSTRUCTIONS = `You answer a question about a folder of files. Look things up with the tools; do not guess.
Cite each statement as path:line. If the files do not answer the question, set "none" to true.

When you reply, reply with one JSON object only, without a code fence, that fits this JSON schema:
${JSON.stringify(jsonSchemaOf(replyShape))}`;

/** The measure of what a pipeline adds: the same reader in a plain loop over some tools. */
export async function runAgent(
  model: LanguageModel,
  question: string,
  tools: readonly AgentTool[],
  { calls, resultCharacters }: AgentLimits,
  signal: AbortSignal,
): Promise<AgentRun> {
  const messages: ChatMessage[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: question },
  ];
  const usage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0, seconds: 0 };
  const looks: AgentRun['looks'] = [];
  const began = performance.now();
  let asked = messages;
  while (true) {
    const turn = await requestTurn(model, {
      messages: asked,
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      mayLook: looks.length < calls,
      options: { signal, maxTokens: 1_000, deadlineSeconds: 1_800 },
    });
    usage.calls += turn.requests;
    usage.inputTokens += turn.usage.inputTokens;
    usage.outputTokens += turn.usage.outputTokens;
    usage.cachedTokens = (usage.cachedTokens ?? 0) + (turn.usage.cachedTokens ?? 0);
    usage.estimated ||= turn.usage.estimated;
    usage.seconds = (performance.now() - began) / 1000;
    if (turn.calls.length === 0) {
      const reading = readStructured(turn, replyShape);
      if (reading.ok) return { ...reading.value, usage, looks };
      if (asked !== messages) throw new Error(`${model.name} did not give a usable answer: ${reading.problem}`);
      asked = repairMessages(messages, turn, reading.problem);
      continue;
    }
    asked = messages;
    messages.push(turn.message);
    for (const call of turn.calls) {
      const input = argumentsOf(call);
      looks.push({ tool: call.name, input });
      const content = (await use(tools, call.name, input)).slice(0, resultCharacters);
      messages.push({ role: 'tool', toolCallId: call.id, content });
    }
  }
}

async function use(tools: readonly AgentTool[], name: string, input: unknown): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return `There is no tool ${name}.`;
  try {
    return await tool.run(z.record(z.string(), z.unknown()).parse(input));
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}
