import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { AgentTool, ToolResult } from './agent-loop.ts';

const place = z.object({ path: z.string(), startLine: z.number(), endLine: z.number() });
const searched = z.object({ passages: z.array(place.extend({ text: z.string() })) });
const researched = z.object({
  answer: z.string(),
  citations: z.array(place),
  trail: z.array(place.extend({ text: z.string() })),
});
const referred = z.object({ references: z.array(z.object({ path: z.string() })) });

/** Milliseconds of a call: the machine may be busy. */
export const CALL_MS = 600_000;
/** Passages of a search, and the characters of each: four fit into a result. */
const PASSAGES = 4;
const PASSAGE_LENGTH = 200;

/**
 * The three tools of Hoptrail's MCP server, their results told as briefly as those of other tools: a model that is
 * small has a small window.
 */
export function hoptrailTools(client: Client): AgentTool[] {
  const call = async (name: string, args: Record<string, unknown>): Promise<{ said: string; data: unknown }> => {
    const result = await client.callTool({ name, arguments: args }, undefined, { timeout: CALL_MS });
    const content = z.array(z.object({ text: z.string() })).parse(result.content);
    if (result.isError) throw new Error(content.map(({ text }) => text).join('\n'));
    return { said: content[0]?.text ?? '', data: result.structuredContent };
  };
  return [
    {
      name: 'hoptrail_research',
      description: 'an answer to a whole question from several files, with their lines; try it first',
      example: 'On which day is the office of the smallest branch closed?',
      run: async (question) => {
        const { answer, citations, trail } = researched.parse((await call('hoptrail_research', { question })).data);
        const places = citations.map(({ path, startLine }) => `${path}:${startLine}`).join(', ');
        const steps = told(trail);
        return {
          text: `${answer}\n${places && `Stands in ${places}\n`}\nFound on the way:\n${steps.text}`,
          files: [...citations.map(({ path }) => path), ...steps.files],
        };
      },
    },
    {
      name: 'hoptrail_search',
      description: 'passages of all files that fit a question or phrase best, by words and meaning',
      example: 'opening hours of the office',
      run: async (query) => {
        const { passages } = searched.parse((await call('hoptrail_search', { query, limit: PASSAGES })).data);
        return told(passages);
      },
    },
    {
      name: 'hoptrail_references',
      description: 'every place of the code that uses a symbol',
      example: 'openOffice',
      run: async (symbol) => {
        const { said, data } = await call('hoptrail_references', { symbol });
        return { text: said, files: referred.parse(data).references.map(({ path }) => path) };
      },
    },
  ];
}

function told(passages: readonly (z.infer<typeof place> & { text: string })[]): ToolResult {
  const text = passages.map(
    (passage) => `${passage.path}:${passage.startLine}-${passage.endLine}\n${passage.text.slice(0, PASSAGE_LENGTH)}`,
  );
  return { text: text.join('\n\n') || 'Nothing was found.', files: passages.map(({ path }) => path) };
}
