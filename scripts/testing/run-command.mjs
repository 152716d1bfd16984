import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const supervisor = fileURLToPath(new URL('../vscode-host/supervise.mjs', import.meta.url));

/**
 * Runs a Node program with its output shown, in a process group that ends with it, with its time limit, or with this
 * process.
 * @param {string[]} args the program and its arguments
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, minutes: number }} options
 * @returns {Promise<{ code: number | null, timedOut: boolean }>}
 */
export function runNode(args, { cwd, env = {}, minutes }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [supervisor, process.execPath, ...args], {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.disconnect(); // the supervisor ends its group
    }, minutes * 60_000);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve({ code, timedOut });
    });
  });
}
