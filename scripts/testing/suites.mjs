/**
 * The suites of `npm test`, in the order in which they run; `--only NAME[,NAME]` chooses. `check`: a command that
 * passes or fails as a whole. `mocha`: test files run by Mocha in Node, most of them against built files. `host`: test
 * files that run inside the extension host of a real VS Code, on a copy of a folder. `tests` is a folder of files that
 * end in `suffix`, `.test.ts` when undefined. `jobs`: test files that run at the same time, 1 when undefined; only
 * where no file meets another's folders, processes or windows. `limit`: minutes after which it counts as hanging:
 * several times what two slow cores take. `timeout`: the same for one test, in milliseconds. `retries`: how often a
 * test that fails is tried again: where an editor and a browser that are not ours run, one in thousands fails by
 * chance. Each such attempt is told at the end, with its error.
 * @type {({ name: string, limit: number } & ( | { kind: 'check', command: string[] } | { kind: 'mocha', tests: string,
 *   suffix?: string, jobs?: number, timeout: number, retries?: number } | { kind: 'host', tests: string, workspace:
 *   string }))[]}
 */
export const suites = [
  { name: 'build', kind: 'check', limit: 2, command: ['esbuild.mjs'] },
  { name: 'typecheck', kind: 'check', limit: 5, command: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'] },
  { name: 'lint', kind: 'check', limit: 2, command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  {
    name: 'format',
    kind: 'check',
    limit: 3,
    command: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  },
  { name: 'tools', kind: 'check', limit: 15, command: ['--import', 'tsx', 'scripts/testing/install-tools.ts'] },
  { name: 'unit', kind: 'mocha', limit: 20, tests: 'test/unit', jobs: 2, timeout: 60_000 },
  { name: 'process', kind: 'mocha', limit: 20, tests: 'test/process', jobs: 2, timeout: 180_000 },
  { name: 'harness', kind: 'mocha', limit: 20, tests: 'test/host/harness', jobs: 2, timeout: 180_000 },
  { name: 'host', kind: 'host', limit: 12, tests: 'test/host/suite', workspace: 'examples/notes' },
  {
    name: 'ui',
    kind: 'mocha',
    limit: 25,
    tests: 'test/host/ui',
    suffix: '.ui.ts',
    jobs: 2,
    timeout: 400_000,
    retries: 1,
  },
  { name: 'vsix', kind: 'mocha', limit: 10, tests: 'test/host/vsix', timeout: 400_000 },
];
