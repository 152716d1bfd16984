// `npm run try`: a real VS Code with Hoptrail and an example workspace, in your browser.
//
//   npm run try
//   npm run try -- --folder DIR --folder DIR2 --port 8123 --fresh --restricted --settings '{"hoptrail.x": 1}'
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { desktopVscode } from './vscode-host/desktop.ts';
import { cacheDirectory, repositoryRoot } from './vscode-host/locations.ts';
import { startServer, workbenchAddress } from './vscode-host/server.ts';

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [path.join(repositoryRoot, 'examples', 'notes')] },
    port: { type: 'string', default: '8137' },
    fresh: { type: 'boolean', default: false },
    restricted: { type: 'boolean', default: false },
    settings: { type: 'string', default: '{}' },
  },
});
const folders = options.folder.map((folder) => path.resolve(folder));
const dataDirectory = path.join(cacheDirectory, 'try');

function target() {
  const [first] = folders;
  if (folders.length === 1) return first;
  const file = path.join(dataDirectory, 'several.code-workspace');
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(file, JSON.stringify({ folders: folders.map((folder) => ({ path: folder })) }));
  return file;
}

async function serve() {
  // Kept between tries, so that the index and the threads are still there.
  if (options.fresh) rmSync(dataDirectory, { recursive: true, force: true });
  const server = await startServer({
    dataDirectory,
    linked: [repositoryRoot],
    port: Number(options.port),
    restricted: options.restricted,
    settings: JSON.parse(options.settings),
  });
  const stop = () => server.stop().then(() => process.exit(0));
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  console.log(
    `\nVS Code with Hoptrail on ${folders.map((folder) => path.relative(process.cwd(), folder) || '.').join(', ')}:\n`,
  );
  console.log(`    ${workbenchAddress(server, target())}\n`);
  console.log('Choose the Hoptrail icon on the left and ask. Ctrl-C ends it.');
}

async function openDesktop() {
  const args = [
    '--extensionDevelopmentPath',
    repositoryRoot,
    ...(options.restricted ? [] : ['--disable-workspace-trust']),
    ...folders,
  ];
  spawnSync(await desktopVscode(), ['--user-data-dir', path.join(cacheDirectory, 'try-desktop'), '--wait', ...args], {
    stdio: 'inherit',
  });
}

const build = spawnSync(process.execPath, ['esbuild.mjs'], {
  cwd: repositoryRoot,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (build.status !== 0) process.exit(1);
await (process.platform === 'linux' && process.env.VSCODE_HOST !== 'desktop' ? serve() : openDesktop());
