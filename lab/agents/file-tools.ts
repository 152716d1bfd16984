import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AgentTool } from './agent-loop.ts';

const LINES_READ = 40;
const MATCHES_SHOWN = 20;
/** Characters of a line: a minified file would fill the whole result. */
const LINE_LENGTH = 160;

/** What every agent has: looking for text, listing folders, reading files below `root`. */
export function fileTools(root: string): AgentTool[] {
  const home = realpathSync(root);
  const inside = (input: string): string => {
    const full = path.resolve(home, input.trim().replace(/^\/+/, ''));
    if (full !== home && !full.startsWith(home + path.sep)) throw new Error(`${input} lies outside of the folder.`);
    if (!statSync(full, { throwIfNoEntry: false })) throw new Error(`There is no ${input}.`);
    return full;
  };
  return [
    {
      name: 'grep',
      description: 'lines of all files that match a regular expression',
      example: 'opening hours',
      run: async (pattern) => {
        const { stdout, stderr, status } = spawnSync(
          'git',
          ['grep', '--no-index', '-I', '-n', '-i', '-E', '-m', '3', '-e', pattern],
          { cwd: home, encoding: 'utf8', timeout: 20_000, maxBuffer: 2 ** 26 },
        );
        if (status !== 0 && status !== 1) throw new Error(stderr.trim() || 'The search took too long.');
        const lines = stdout.split('\n').filter(Boolean);
        const shown = lines.slice(0, MATCHES_SHOWN).map((line) => line.slice(0, LINE_LENGTH));
        return {
          text: lines.length === 0 ? 'No line matches.' : `${lines.length} lines match\n${shown.join('\n')}`,
          files: [...new Set(shown.map((line) => line.slice(0, line.indexOf(':'))))],
        };
      },
    },
    {
      name: 'list',
      description: 'names of the files in a folder; "." is the top',
      example: 'office',
      run: async (folder) => ({
        text: readdirSync(inside(folder), { withFileTypes: true })
          .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
          .join('\n'),
        files: [],
      }),
    },
    {
      name: 'read',
      description: `${LINES_READ} lines of a file, by its path or path:line`,
      example: 'office/hours.md:12',
      run: async (input) => {
        const [, name = input, line = '1'] = /^(.*?):(\d+)[\d:-]*$/u.exec(input.trim()) ?? [];
        const file = inside(name);
        const lines = readFileSync(file, 'utf8').split('\n');
        const from = Math.max(1, Number(line) - 5);
        const shown = lines.slice(from - 1, from - 1 + LINES_READ).map((text) => text.slice(0, LINE_LENGTH));
        const written = path.relative(home, file).split(path.sep).join('/');
        return {
          text: `${written}, lines ${from} to ${from + shown.length - 1} of ${lines.length}\n${shown.join('\n')}`,
          files: [written],
        };
      },
    },
  ];
}
