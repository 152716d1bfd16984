/** Answers of the built command line, by a real index and encoder, that hang on question and files alone. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { runHoptrail } from '../doubles/run-hoptrail.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';
import { repositoryRoot as root } from '../../scripts/vscode-host/locations.ts';

interface Answered {
  answer: string;
  citations: { path: string; startLine: number; endLine: number }[];
}

async function answersOf(folder: string, cache: string, questions: readonly string[]): Promise<Answered[]> {
  const input = questions.map((question) => `${question}\n`).join('');
  const { code, out, err } = await runHoptrail(['chat', folder, '--json'], { XDG_CACHE_HOME: cache }, { input });
  assert.equal(code, 0, err);
  const lines = out.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Answered);
}

const PEOPLE = ['Nora Quist', 'Tom Abel', 'Ivy Marsh', 'Sven Holm', 'Rita Pohl', 'Omar Said'];
const BIRDS = ['Gull', 'Tern', 'Heron', 'Osprey', 'Plover', 'Egret'];

describe('an answer without a model', function () {
  this.timeout(180_000);

  for (const [kind, person, place, question] of [
    [
      'wikilinks',
      (name: string, bird: string) => `${name} manages [[${bird} harbour]]. Has a dog.\n`,
      (bird: string, n: number) => `# ${bird} harbour\n\nDepth: ${n} m.\n\nA night berth costs ${n} euro.\n`,
      (name: string) => `What does a night berth cost at the harbour that ${name} manages?`,
    ],
    [
      'Markdown links',
      (name: string, bird: string) => `# ${name}\n\nTeaches at [this school](../places/${bird}.md) since 2019.\n`,
      (bird: string, n: number) => `# ${bird} school\n\nThe ${bird} school was founded in ${n}.\n\nRoof: slate.\n`,
      (name: string) => `In which year was the school founded where ${name} teaches?`,
    ],
    [
      'names alone',
      (name: string, bird: string) => `# ${name}\n\n${name} owns the ${bird} yard.\n`,
      (bird: string, n: number) => `# ${bird} yard\n\nNorth of the bridge.\n\nBoats are repaired by crew ${n}.\n`,
      (name: string) => `Who repairs the boats of the yard that ${name} owns?`,
    ],
  ] as const)
    it(`leads with what the place says that the asked name leads to, not with its like, by ${kind}`, async () => {
      const folder = temporaryFolder();
      for (const part of ['people', 'places']) mkdirSync(join(folder, part));
      const numbers = PEOPLE.map((name, i) => {
        const bird = BIRDS[(i * 5 + 2) % BIRDS.length] ?? '';
        const number = 1900 + i * 7;
        writeFileSync(join(folder, 'people', `${name}.md`), person(name, bird));
        const file = kind === 'Markdown links' ? bird : `${bird} ${kind === 'wikilinks' ? 'harbour' : 'yard'}`;
        writeFileSync(join(folder, 'places', `${file}.md`), place(bird, number));
        return String(number);
      });
      const answers = await answersOf(folder, temporaryFolder(), PEOPLE.map(question));
      const leads = answers.map(({ answer }) => /\b19\d\d\b/.exec(answer.split(' [1]')[0] ?? '')?.[0]);
      assert.deepEqual(leads, numbers, JSON.stringify(answers.map(({ answer }) => answer)));
    });

  it('is none where an exact identifier stands in no file, and never the line of another', async () => {
    const folder = temporaryFolder();
    const ids = ['1b2c7d9e-11aa-4f0e-9c3d-5e6f7a8b9c0d', 'ac:de:48:00:11:22', '10.20.30.40', '7596c4e', 'v8.9.0-rc1'];
    for (const [i, id] of ids.entries())
      writeFileSync(join(folder, `unit-${i}.md`), `# Unit ${i}\n\nThe unit ${id} stands in hall ${i}.\n`);
    const others = ['0a1b2c3d-1111-2222-3333-444455556666', 'aa:bb:cc:dd:ee:ff', '10.20.30.4', '7596c4f', 'v8.9.0'];
    const asked = [...ids, ...others].map((id) => `In which hall does the unit ${id} stand?`);
    const answers = await answersOf(folder, temporaryFolder(), asked);
    for (const [i, { answer }] of answers.entries())
      assert.ok(
        i < ids.length ? answer.includes(`hall ${i}`) : answer.includes(`no file has “${others[i - ids.length]}”`),
        answer,
      );
    assert.equal(answers.length, 2 * ids.length);
  });

  it('is the same beside four processes that keep the machine busy', async () => {
    const cache = temporaryFolder();
    const folder = join(root, 'examples', 'notes');
    const questions = [
      'What froze in the silent weekend?',
      'Who makes the batteries of the mast?',
      'Who was charged twice, and in which month?',
      'Which hut was booked double?',
      'Why was radio chosen and not satellite?',
      'Who keeps the hut whose mast froze?',
      'What does the budget say about batteries?',
      'Where does the clock get its time from?',
      'Who visits the mast, and with what?',
      'When does a status expire?',
      'Which drop went wrong, and why?',
      'Who handed over in June?',
    ];
    await answersOf(folder, cache, ['What is here?']); // reads the folder
    const idle = await answersOf(folder, cache, questions);
    const loops: ChildProcess[] = questions.slice(8).map(() => spawn(process.execPath, ['-e', 'for(;;);']));
    try {
      const places = (of: readonly Answered[]) =>
        of.map(({ answer, citations }) => [
          answer,
          citations.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`),
        ]);
      const busy = await answersOf(folder, cache, questions);
      assert.equal(idle.length, questions.length);
      assert.ok(idle.every(({ citations }) => citations.length > 0));
      assert.deepEqual(places(busy), places(idle));
    } finally {
      for (const loop of loops) loop.kill('SIGKILL');
    }
  });
});
