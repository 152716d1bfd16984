import { z } from 'zod';
import { BadReplyError, type ChatMessage, type LanguageModel, requestStructured } from '#research';

/** What a tool gave: the text that the model is shown, and the files of which text stands in it. */
export interface ToolResult {
  text: string;
  files: readonly string[];
}

/** A tool of an agent: the model writes `{"tool": name, "input": "…", "files": []}`. */
export interface AgentTool {
  name: string;
  /** For the model: what the tool does, and what its input is. */
  description: string;
  /** An input as it may be. Small models copy it, so that it must not be one that makes sense everywhere. */
  example: string;
  /** What it throws is shown to the model as the result: agents read error messages. */
  run(input: string): Promise<ToolResult>;
}

interface AgentLimits {
  /** Most calls of tools; then an answer has to be given. */
  actions: number;
  /** Characters of a result that the model is shown. */
  resultCharacters: number;
}

export interface AgentRun {
  /** Empty: none was given, or what the model wrote was twice no action. */
  answer: string;
  /** Files that the answer rests on, as the model says. */
  cited: string[];
  /** Files of which a tool showed text. */
  shown: string[];
  actions: { tool: string; input: string }[];
  /** Model calls, and tokens over all of them: each sends what came before again. */
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

/**
 * An agent in a loop: the model chooses a tool, sees its result, and so on until it answers. Models too small for
 * calls of functions write an action as JSON, whose schema the server enforces.
 */
export async function runAgent(
  model: LanguageModel,
  question: string,
  tools: readonly AgentTool[],
  limits: AgentLimits,
  signal: AbortSignal,
): Promise<AgentRun> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const messages: ChatMessage[] = [
    { role: 'system', content: instructions(tools, limits.actions) },
    { role: 'user', content: `Question: ${question}\nYour first action, as JSON:` },
  ];
  const run: AgentRun = { answer: '', cited: [], shown: [], actions: [], calls: 0, inputTokens: 0, outputTokens: 0 };
  const shown = new Set<string>();
  /** The tool that was just asked the same again: a small model would go on so, and is not offered it once. */
  let repeated: string | undefined;
  while (true) {
    const mustAnswer = run.actions.length >= limits.actions;
    /** Nothing was looked up yet: what a model says now, it made up, or copied from the instructions. */
    const mustLook = run.actions.length === 0;
    const reply = await requestStructured(model, {
      messages,
      name: mustAnswer ? 'last_action' : 'action',
      schema: actionSchema(
        [...(mustAnswer ? [] : byName.keys()), ...(mustLook ? [] : ['answer'])].filter((name) => name !== repeated),
      ),
      options: { signal, maxTokens: 200, deadlineSeconds: 1_800 },
    }).catch((error: unknown) => {
      if (error instanceof BadReplyError) return error;
      throw error;
    });
    run.calls += reply.calls;
    run.inputTokens += reply.usage.inputTokens;
    run.outputTokens += reply.usage.outputTokens;
    if (reply instanceof BadReplyError) return { ...run, shown: [...shown] };
    const { value, text } = reply;
    if (value.tool === 'answer') return { ...run, answer: value.input, cited: value.files, shown: [...shown] };
    const isRepeated = run.actions.some(({ tool, input }) => tool === value.tool && input === value.input);
    repeated = isRepeated ? value.tool : undefined;
    const result = isRepeated ? REPEATED : await use(byName.get(value.tool), value.input);
    run.actions.push({ tool: value.tool, input: value.input });
    const cut = result.text.slice(0, limits.resultCharacters);
    for (const file of result.files) if (cut.includes(file)) shown.add(file);
    const next = run.actions.length >= limits.actions ? 'Give your answer now' : 'Your next action';
    messages.push(
      { role: 'assistant', content: text },
      { role: 'user', content: `Result:\n${cut}${cut.length < result.text.length ? ' …' : ''}\n\n${next}, as JSON:` },
    );
  }
}

const REPEATED: ToolResult = { text: 'You have done exactly this before. Do something else, or answer.', files: [] };

async function use(tool: AgentTool | undefined, input: string): Promise<ToolResult> {
  if (!tool) return { text: 'There is no such tool.', files: [] };
  try {
    return await tool.run(input);
  } catch (error) {
    return { text: `Error: ${error instanceof Error ? error.message : String(error)}`, files: [] };
  }
}

/** One flat object, since many servers enforce no alternatives; of tools, `files` stays empty. */
const actionSchema = (tools: readonly string[]) =>
  z.strictObject({
    tool: z.enum(tools),
    input: z.string().max(300),
    files: z.array(z.string().max(120)).max(4),
  });

const instructions = (tools: readonly AgentTool[], actions: number): string =>
  `You answer a question about a folder of files. Find the answer with tools; do not guess. Each reply is one JSON object, an action:
${tools.map(({ name, description, example }) => `- ${name}: ${description}. {"tool":"${name}","input":"${example}","files":[]}`).join('\n')}
- answer: ends; as its input the answer in a few words from what a tool showed, as its files those that it stands in.
At most ${actions} actions, none of them twice. Answer as soon as you have seen the answer.`;
