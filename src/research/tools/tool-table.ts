import type { ToolSchema } from '../language-model/language-model.ts';
import { jsonSchemaOf } from '../language-model/structured-reply.ts';
import { listTool } from './list-tool.ts';
import { readTool } from './read-tool.ts';
import { referencesTool } from './references-tool.ts';
import { searchTool } from './search-tool.ts';
import type { Tool } from './tool.ts';

/** A tool whose input its own type has validated, whoever calls it. */
const entry = <Input>(tool: Tool<Input>): Tool<unknown> => tool as unknown as Tool<unknown>;

/** The ways to look something up: the loop, the editor's tools and the MCP server offer the same. */
export const tools: readonly Tool<unknown>[] = [
  entry(searchTool),
  entry(readTool),
  entry(referencesTool),
  entry(listTool),
];

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
