import type { ToolSchema } from '../language-model/language-model.ts';
import { jsonSchemaOf } from '../language-model/structured-reply.ts';
import { listTool } from './list-tool.ts';
import { readTool } from './read-tool.ts';
import { referencesTool } from './references-tool.ts';
import { searchTool } from './search-tool.ts';
import type { Tool } from './tool.ts';

/** The ways to look something up, for the loop, editor and MCP server; each validates its input by its own type. */
export const tools = [searchTool, readTool, referencesTool, listTool] as unknown as readonly Tool<unknown>[];

/** The same as models are told of them with each call: limits are checked when a tool is called, and not told. */
export const toolSchemas: readonly ToolSchema[] = tools.map(({ name, description, input }) => ({
  name,
  description,
  parameters: withoutLimits(jsonSchemaOf(input)),
}));

function withoutLimits(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, ...rest } = schema;
  const plain = Object.entries(properties ?? {}).map(([name, property]) => {
    const { minLength: _, maxLength: __, minimum: ___, maximum: ____, ...told } = property as Record<string, unknown>;
    return [name, told] as const;
  });
  return { ...rest, properties: Object.fromEntries(plain) };
}
