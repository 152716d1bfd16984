import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { PLACES, questionsDir, root } from '../places.ts';

/**
 * `node --import tsx lab/questions/index-folders.ts`: indexes the repositories that the questions are about, each at
 * its commit, for `lab/heads/train-units.ts`. `--from FOLDER` holds checkouts called `OWNER+NAME`; what is not there is
 * cloned from GitHub into it. Run `npm run build` first.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string', default: path.join(PLACES.cache.default, 'folders') },
    indexes: PLACES.indexes,
  },
});
const folders = z
  .record(z.string(), z.object({ repository: z.string(), commit: z.string() }))
  .parse(JSON.parse(readFileSync(path.join(questionsDir, 'folders.json'), 'utf8')));

mkdirSync(values.from, { recursive: true });
for (const [name, { repository, commit }] of Object.entries(folders)) {
  const folder = path.join(values.from, name);
  const run = (command: string, args: readonly string[]): void => {
    execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  };
  if (!existsSync(folder)) {
    const cloned = `${folder}.part`; // a clone that breaks off is no checkout
    rmSync(cloned, { recursive: true, force: true });
    run('git', ['clone', '--quiet', '--no-checkout', `https://github.com/${repository}.git`, cloned]);
    run('git', ['-C', cloned, 'checkout', '--quiet', commit]);
    renameSync(cloned, folder);
  }
  process.stdout.write(`${name}\n`);
  run('node', [path.join(root, 'dist', 'cli.cjs'), 'index', folder, '--index', path.join(values.indexes, name)]);
}
