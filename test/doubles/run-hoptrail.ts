import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command line as it is built. */
export const builtCli = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'cli.cjs');

export interface CliRun {
  /** null: a signal ended it. */
  code: number | null;
  out: string;
  err: string;
}

/**
 * Runs the built command line, or a copy of it, to its end. @param env Beside the variables of this process. @param at
 * In which folder, and what is piped to it.
 */
export function runHoptrail(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  at: { cwd?: string; input?: string; cli?: string } = {},
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [at.cli ?? builtCli, ...args], {
      env: { ...process.env, ...env, NO_COLOR: '1' },
      ...(at.cwd !== undefined && { cwd: at.cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(at.input);
    const run = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      run.out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      run.err += chunk.toString();
    });
    child.on('error', reject).on('close', (code) => resolve({ ...run, code }));
  });
}
