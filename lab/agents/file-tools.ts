import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { AgentTool } from './agent-loop.ts';

const LINES_READ = 120;
const MATCHES_SHOWN = 60;
/** Characters of a line: a minified file would fill the whole result. */
const LINE_LENGTH = 200;

const parameters = (properties: Record<string, object>, required: readonly string[]): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string' };
const count = { type: 'integer', minimum: 1 };

/** What every agent has: grep, a list of files and a file reader, all below `root`. */
export function fileTools(root: string): AgentTool[] {
  const home = realpathSync(root);
  const inside = (given: string): string => {
    const full = path.resolve(home, given.trim().replace(/^\/+/, ''));
    if (full !== home && !full.startsWith(home + path.sep)) throw new Error(`${given} lies outside of the folder.`);
    if (!statSync(full, { throwIfNoEntry: false })) throw new Error(`There is no ${given}.`);
    return full;
  };
  return [
    {
      name: 'grep',
      description: 'Lines of all files that match an extended regular expression, whatever their case.',
      parameters: parameters({ pattern: text }, ['pattern']),
      run: async (input) => {
        const { pattern } = z.object({ pattern: z.string() }).parse(input);
        const args = ['grep', '--no-index', '-I', '-n', '-i', '-E', '-m', '5', '-e', pattern];
        const { stdout, stderr, status } = spawnSync('git', args, {
          cwd: home,
          encoding: 'utf8',
          timeout: 20_000,
          maxBuffer: 2 ** 26,
        });
        if (status !== 0 && status !== 1) throw new Error(stderr.trim() || 'The search took too long.');
        const lines = stdout.split('\n').filter(Boolean);
        const shown = lines.slice(0, MATCHES_SHOWN).map((line) => line.slice(0, LINE_LENGTH));
        return lines.length === 0 ? 'No line matches.' : `${lines.length} lines match\n${shown.join('\n')}`;
      },
    },
    {
      name: 'list',
      description: 'Names of the files and folders in a folder; "." is the top.',
      parameters: parameters({ folder: text }, ['folder']),
      run: async (input) => {
        const { folder } = z.object({ folder: z.string() }).parse(input);
        return readdirSync(inside(folder), { withFileTypes: true })
          .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
          .join('\n');
      },
    },
    {
      name: 'read',
      description: `${LINES_READ} lines of a file from a line on.`,
      parameters: parameters({ path: text, from: count }, ['path']),
      run: async (input) => {
        const given = z.object({ path: z.string(), from: z.number().int().min(1).default(1) }).parse(input);
        const file = inside(given.path);
        const lines = readFileSync(file, 'utf8').split('\n');
        const shown = lines.slice(given.from - 1, given.from - 1 + LINES_READ);
        const name = path.relative(home, file).split(path.sep).join('/');
        return [
          `${name}, lines ${given.from} to ${given.from + shown.length - 1} of ${lines.length}`,
          ...shown.map((line, i) => `${given.from + i}| ${line.slice(0, LINE_LENGTH)}`),
        ].join('\n');
      },
    },
  ];
}
