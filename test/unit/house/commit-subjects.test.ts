import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

/** Subjects are held to the rule from here on: those before are as they are. */
const SINCE = 'a7809555eab0f5f0fdd247349252ab70f059e201';
const LONGEST = 60;

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

/** What is wrong with a subject; undefined: nothing that a program can tell. */
function problem(subject: string): string | undefined {
  if ([...subject].length > LONGEST) return `${[...subject].length} characters`;
  if (!/^\p{Lu}/u.test(subject)) return 'begins without a capital';
  if (subject.endsWith('.')) return 'ends with a full stop';
  // "Adds", "Added", "Adding": not every word that ends so is one, but no imperative does.
  return /^(?:(?:Add|Fix|Chang|Remov|Updat|Mak|Us|Improv|Refactor|Mov|Tak|Show|Allow)(?:s|es|ed|d|ing)|Made|Took)\b/.test(
    subject,
  )
    ? 'not in the imperative'
    : undefined;
}

describe('subjects of commits', () => {
  it('are judged by their length and their first word', () => {
    assert.equal(problem('Say why a file was left out'), undefined);
    assert.equal(problem(`Say ${'x'.repeat(56)}`), undefined);
    for (const subject of [`Say ${'x'.repeat(57)}`, 'fix it', 'Fixed it', 'Adding a test', 'Uses less', 'Say it.'])
      assert.ok(problem(subject) !== undefined, subject);
  });

  // Outside of a clone, or in one without so much history, there is nothing to look at, and no test is counted.
  const subjects = git('log', `${SINCE}..HEAD`, '--format=%s', '--no-merges')?.split('\n').filter(Boolean);
  if (subjects !== undefined)
    it(`have at most ${LONGEST} characters, in the imperative`, () => {
      assert.deepEqual(
        subjects.flatMap((subject) => {
          const what = problem(subject);
          return what === undefined ? [] : [`${subject}: ${what}`];
        }),
        [],
      );
    });
});
