// `npm run demo`: indexes the example notes, asks them one question that no single note answers, and says how to see it
// in VS Code.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoQuestion } from './demo-question.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const notes = path.join('examples', 'notes');

function run(args) {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`node ${args.join(' ')} ${signal ? `was ended by ${signal}` : `failed with code ${status}`}`);
    process.exit(status ?? 1);
  }
}

console.log('Building …');
run(['esbuild.mjs']);
console.log(`\nIndexing ${notes}: the notes of a small team, 58 files …\n`);
run(['dist/cli.cjs', 'index', notes]);
console.log(`\nAsking: ${demoQuestion}\n`);
run(['dist/cli.cjs', 'ask', notes, demoQuestion]);
console.log(`
The same in VS Code:      npm run try     (then open the address, choose the Hoptrail icon on the left, and ask)
Your own folder:          npm run --silent hoptrail -- ask DIR "question"`);
