// Runs a command in this process's group and ends the whole group when the parent goes away, however it went:
// `kill -9` on a test run leaves no server, extension host or index process behind.
// Usage: fork this file detached, with an IPC channel: supervise.mjs COMMAND [ARGUMENT …]
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const endGroup = () => process.kill(0, 'SIGKILL'); // 0: every process of this group, this one included
process.on('disconnect', endGroup);
process.on('SIGTERM', endGroup);
child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
