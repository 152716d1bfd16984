import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';
import { until } from '../../doubles/waiting.ts';

const script = `
import { startServer } from ${JSON.stringify(path.join(repositoryRoot, 'scripts/vscode-host/server.ts'))};
const server = await startServer({ dataDirectory: process.argv[2] });
console.log(server.authority);
setInterval(() => undefined, 1000);
`;

async function answers(authority: string): Promise<boolean> {
  return await fetch(`http://${authority}/version`).then(
    ({ ok }) => ok,
    () => false,
  );
}

describe('a server whose parent is killed', function () {
  this.timeout(120_000);

  it('ends by itself', async () => {
    const scratch = temporaryFolder();
    const program = path.join(scratch, 'serve.mts');
    writeFileSync(program, script);
    const parent = spawn(process.execPath, ['--import', 'tsx', program, path.join(scratch, 'data')], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const ended = once(parent, 'exit').then(([code]) =>
        assert.fail(`the server ended with code ${String(code)} before it said where it is`),
      );
      ended.catch(() => undefined); // it is killed in the end
      const [line] = (await Promise.race([once(parent.stdout, 'data'), ended])) as [Buffer];
      const authority = line.toString().trim();
      assert.equal(await answers(authority), true);
      parent.kill('SIGKILL');
      const ends = until(async () => !(await answers(authority)), 'it has ended', 10);
      await ends.catch(() => assert.fail(readFileSync(path.join(scratch, 'data', 'server.log'), 'utf8')));
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
