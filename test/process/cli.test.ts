/** The command line as people run it: the built file, a real index process, real LanceDB, the real embedding model. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, describe, it } from 'mocha';
import { demoQuestion } from '../../scripts/demo-question.ts';
import { builtCli as cli, type CliRun, runHoptrail } from '../doubles/run-hoptrail.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';
import { repositoryRoot as root } from '../../scripts/vscode-host/locations.ts';

describe('hoptrail on the command line', function () {
  this.timeout(120_000);
  let home: string;
  let notes: string;

  before(() => {
    home = temporaryFolder();
    notes = join(home, "wörk space's 📓");
    mkdirSync(notes);
    for (const folder of ['decisions', 'incidents', 'people', 'suppliers', 'systems'])
      cpSync(join(root, 'examples', 'notes', folder), join(notes, folder), { recursive: true });
    writeFileSync(join(notes, 'picture.md'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 0, 0]));
  });

  const hoptrail = (...args: string[]): Promise<CliRun> => runHoptrail(args, { XDG_CACHE_HOME: join(home, 'cache') });
  async function json<T>(...args: string[]): Promise<T> {
    const { code, out, err } = await hoptrail(...args, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out) as T;
  }

  interface IndexOutput {
    files: number;
    skipped: { path: string; reason: string }[];
    passages: number;
    embedded: number;
    reused: number;
    seconds: number;
  }

  it('is started without the libraries that read files', () => {
    assert.ok(!readFileSync(cli, 'utf8').includes('pdfjs'));
  });

  it('indexes a folder, and nothing again when run at once', async () => {
    const first = await json<IndexOutput>('index', notes);
    assert.ok(first.files > 10 && first.passages >= first.files, JSON.stringify(first));
    assert.equal(first.embedded + first.reused, first.passages);
    assert.deepEqual(first.skipped, [{ path: 'picture.md', reason: 'binary' }]);
    const second = await json<IndexOutput>('index', notes);
    assert.deepEqual(
      { files: second.files, passages: second.passages, embedded: second.embedded },
      { files: first.files, passages: first.passages, embedded: 0 },
    );
    assert.ok(!readdirSync(notes).some((name) => name.startsWith('.')), 'nothing is written into the workspace');
  });

  it('searches by every retriever, in one stable shape', async () => {
    for (const retriever of ['text', 'vector', 'hybrid', 'beam']) {
      const hits = await json<Record<string, unknown>[]>(
        'search',
        notes,
        'silent weekend batteries froze',
        '--retriever',
        retriever,
        '--limit',
        '5',
      );
      assert.ok(hits.length > 0 && hits.length <= 5, retriever);
      const keys = Object.keys(hits[0] ?? {})
        .sort()
        .join(' ');
      assert.equal(keys, 'endLine kind path score startLine text title');
      assert.ok(
        hits.some((hit) => String(hit['path']).includes('silent-weekend')),
        `${retriever}: ${hits.map((hit) => String(hit['path'])).join()}`,
      );
    }
  });

  it('explains the parts of a score', async () => {
    const { code, out } = await hoptrail('search', notes, 'mast power', '--explain');
    assert.equal(code, 0);
    assert.match(out, /vector #\d+ \(0\.\d+\)/);
  });

  it('lists who uses a symbol by file, and says how it was found', async () => {
    const code = join(home, 'code');
    mkdirSync(code);
    writeFileSync(join(code, 'mast.py'), 'def lower_mast():\n    pass\n');
    writeFileSync(join(code, 'storm.py'), 'from mast import lower_mast\n\ndef storm():\n    lower_mast()\n');
    const { code: status, out, err } = await hoptrail('references', code, 'lower_mast', '--kind', 'calls');
    assert.equal(status, 0, err);
    assert.match(out, /^1 place in 1 file calls lower_mast\./);
    assert.match(out, /storm\.py\n {2}4: storm calls lower_mast: lower_mast\(\)/);
    assert.match(out, /Found by name/);
    assert.equal((await hoptrail('references', code, 'lower_mast', '--kind', 'likes')).code, 2);
  });

  interface AskOutput {
    answer: string;
    abstained: boolean;
    subAnswers: unknown[];
    chain: { path: string; startLine: number; endLine: number; title: string; text: string; why: string }[];
    usage: { calls: number };
  }

  it('answers over several files with a chain that says why, without a language model', async () => {
    const { answer, abstained, chain, usage } = await json<AskOutput>(
      'ask',
      notes,
      'Who keeps our account with the maker of the batteries that froze in the silent weekend?',
    );
    assert.equal(abstained, false);
    assert.match(answer, /Hamish Adeyemi/);
    assert.ok(new Set(chain.map((hop) => hop.path)).size >= 2, 'evidence of two files at least');
    for (const hop of chain)
      assert.ok(hop.why.length > 0 && hop.startLine >= 1 && hop.endLine >= hop.startLine && hop.text.length > 0);
    assert.equal(usage.calls, 0);
  });

  it('answers what the demo asks with the line that says it', async () => {
    const { answer } = await json<AskOutput>('ask', notes, demoQuestion);
    assert.match(answer, /\b461\b/);
  });

  it('answers what is asked in other words than the files have, with the models that ship', async () => {
    const asked = 'How cold did it get before everything stopped?';
    const { abstained, answer } = await json<AskOutput>('ask', notes, asked);
    assert.equal(abstained, false, answer);
  });

  it('says that the closest lines may not answer, without a language model', async () => {
    const asked = 'Which moon of Jupiter did the Galileo probe photograph in 1996?';
    const { abstained, answer, usage } = await json<AskOutput>('ask', notes, asked);
    assert.deepEqual([abstained, usage.calls], [false, 0], 'nobody has read them');
    assert.match(answer, /^These lines come closest; they may not answer it\./);
  });

  it('prints the event stream, with one last word', async () => {
    const { code, out } = await hoptrail('ask', notes, 'What froze in the silent weekend?', '--events');
    assert.equal(code, 0);
    const types = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    assert.equal(types[0], 'run-start');
    assert.equal(types.at(-1), 'run-end');
    assert.ok(types.includes('passages-retrieved') && types.includes('answer-end'));
    assert.equal(types.filter((type) => /^run-(end|error|cancelled)$/.test(type)).length, 1);
  });

  it('says what the index holds, and how large it is', async () => {
    const state = await json<{ coverage: { files: number; passages: number; embedded: number }; bytes: number }>(
      'status',
      notes,
    );
    assert.ok(state.coverage.files > 10);
    assert.equal(state.coverage.embedded, state.coverage.passages);
    assert.ok(state.bytes > 10_000);
    const { out } = await hoptrail('status', notes);
    assert.match(
      out,
      /^\d+ files, \d+ passages\n\d+ of \d+ passages searchable by meaning \(.+\)\nIndex: .+, \d+\.\d MB\n$/,
    );
  });

  it('makes no index to say that there is none', async () => {
    const place = join(home, 'not-there');
    const { code, out } = await hoptrail('status', notes, '--index', place);
    assert.deepEqual([code, out], [0, `No index yet: it will lie in ${place}\n`]);
    assert.ok(!existsSync(place));
  });

  it('leaves the index of another folder alone until told to rebuild it', async () => {
    const place = join(home, 'shared-index');
    const [ferry, quay] = [join(home, 'ferry'), join(home, 'quay')];
    for (const folder of [ferry, quay]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'note.md'), `# Note\n\nOf the ${basename(folder)}.\n`);
    }
    await json<IndexOutput>('index', ferry, '--index', place);
    for (const command of [
      ['index', quay],
      ['search', quay, 'ferry'],
      ['status', quay],
    ]) {
      const { code, out, err } = await hoptrail(...command, '--index', place);
      assert.equal(code, command[0] === 'status' ? 0 : 1);
      assert.match(out + err, /This index was made for .+ferry, not for .+quay/);
    }
    assert.equal((await json<IndexOutput>('index', quay, '--index', place, '--rebuild')).files, 1);
    assert.match(
      (await json<{ path: string; text: string }[]>('search', quay, 'quay', '--index', place))[0]?.text ?? '',
      /quay/,
    );
  });

  it('evaluates retrieval, and quotes that refuse nothing, on the folder', async () => {
    const data = join(home, 'questions.jsonl');
    writeFileSync(
      data,
      [
        {
          id: 'a',
          question: 'What froze in the silent weekend?',
          answer: 'batteries',
          type: 'lookup',
          files: ['incidents/2024-02-17-silent-weekend.md'],
        },
        { id: 'b', question: 'Which moon of Jupiter did Galileo photograph?', answer: null, type: 'null', files: [] },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    const report = await json<{ n: number; metrics: Record<string, number>; ci95: Record<string, [number, number]> }>(
      'eval',
      'retrieval',
      '--data',
      data,
      '--workspace',
      notes,
      '--retriever',
      'hybrid',
      '--out',
      join(home, 'a.jsonl'),
    );
    assert.equal(report.n, 1);
    assert.equal(report.metrics['recall@10'], 1);
    assert.equal(report.ci95['recall@10']?.length, 2);
    await json(
      'eval',
      'retrieval',
      '--data',
      data,
      '--workspace',
      notes,
      '--retriever',
      'beam',
      '--out',
      join(home, 'b.jsonl'),
    );
    const comparison = await json<{ metric: string; n: number }[]>(
      'eval',
      'compare',
      join(home, 'a.jsonl'),
      join(home, 'b.jsonl'),
    );
    assert.ok(comparison.some(({ metric, n }) => metric === 'recall@5' && n === 1));
    const refusals = await json<{ metrics: Record<string, number> }>(
      'eval',
      'abstain',
      '--data',
      data,
      '--workspace',
      notes,
    );
    assert.deepEqual(refusals.metrics, { answerableKept: 1, nullRefused: 0 });
    const answers = await json<{
      n: number;
      metrics: Record<string, number>;
      costs: Record<string, number>;
      ci95: Record<string, [number, number]>;
    }>('eval', 'answer', '--data', data, '--workspace', notes);
    assert.equal(answers.n, 2, 'what cannot be answered is asked, too');
    assert.deepEqual([answers.metrics['seen'], answers.metrics['kept'], answers.metrics['refused']], [1, 1, 0]);
    assert.ok('offered' in answers.metrics);
    assert.equal(answers.ci95['seconds']?.length, 2);
    assert.ok((answers.costs['seconds'] ?? 0) > 0);
  });

  it('imports passages of a data set, pooled and with distractors', async () => {
    const data = join(home, 'set.jsonl');
    const passages = [
      'Aldan is a river in Siberia. It flows into the Lena.',
      'The Lena ends in the Laptev Sea.',
      'Onions are grown in gardens.',
    ].map((text, i) => ({ id: `p${i}`, title: ['Aldan', 'Lena', 'Onion'][i], text }));
    writeFileSync(
      data,
      JSON.stringify({
        id: 'q',
        question: 'Into which sea does the river go that the Aldan flows into?',
        answer: 'Laptev Sea',
        passages,
        supporting: ['p0', 'p1'],
      }),
    );
    for (const setting of ['pooled', 'distractor']) {
      const { metrics } = await json<{ metrics: Record<string, number> }>(
        'eval',
        'retrieval',
        '--data',
        data,
        '--setting',
        setting,
        '--retriever',
        'beam',
      );
      assert.equal(metrics['recall@2'], 1, setting);
      assert.ok('chainEM' in metrics);
    }
  });

  it('asks the current folder where none is named, and takes several questions from a pipe', async () => {
    const here = { cwd: notes, input: 'What froze in the silent weekend?\nWho makes the batteries?\n' };
    const run = (...args: string[]): Promise<CliRun> =>
      runHoptrail(args, { XDG_CACHE_HOME: join(home, 'cache') }, here);
    const asked = await run('ask', 'What froze in the silent weekend?');
    assert.equal(asked.code, 0, asked.err);
    assert.match(asked.out, /batteries/);
    assert.match((await run('search', 'batteries froze')).out, /silent-weekend\.md:/);
    assert.match((await run('status')).out, /^\d+ files/);
    for (const words of [['search'], ['search', 'incidents'], ['search', './nowhere']])
      assert.match((await run(...words)).err, /The query is missing/);
    const chat = await run('chat', '--json');
    assert.equal(chat.code, 0, chat.err);
    const answers = chat.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AskOutput);
    assert.equal(answers.length, 2);
  });

  it('says in JSON what went wrong where JSON was asked for', async () => {
    const gone = join(home, 'nowhere');
    for (const [words, code, error] of [
      [['status', gone], 1, 'no-such-folder'],
      [['ask', notes, ' '], 2, 'usage'],
      [['ask', notes, 'q', '--nothing'], 2, 'usage'],
      [['learning', '--export', '--reset'], 2, 'usage'],
      [['eval', 'compare', gone, gone], 1, 'dataset'],
    ] as const) {
      const run = await hoptrail(...words, '--json');
      assert.equal(run.code, code, run.err);
      const said = (JSON.parse(run.out) as { error: { code: string; message: string } }).error;
      assert.equal(said.code, error);
      assert.ok(run.err.includes(said.message));
    }
    const dead = await hoptrail('ask', notes, 'What froze?', '--base-url', 'http://127.0.0.1:9/v1', '--json');
    assert.equal(dead.code, 1);
    const told = JSON.parse(dead.out) as AskOutput & { error: { code: string } };
    assert.equal(told.error.code, 'model-unreachable');
    assert.ok(told.answer.length > 0, 'with what was found without the model');
  });

  it('keeps what is learnt when it is told to export and to reset at once, and says its version', async () => {
    const { code, err } = await hoptrail('learning', '--export', '--reset');
    assert.equal(code, 2);
    assert.match(err, /'--export' cannot be used with option '--reset'/);
    assert.match((await hoptrail('--version')).out, /^\d+\.\d+\.\d+\n$/);
  });

  it('prints its answer also where nobody reads what it says beside', async () => {
    const args = ['ask', notes, 'What froze in the silent weekend?'];
    const child = spawn(process.execPath, [cli, ...args], {
      env: { ...process.env, XDG_CACHE_HOME: join(home, 'cache') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.destroy();
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0);
    assert.match(out, /batteries/);
  });

  it('fails with a sentence, a code and no stack', async () => {
    const missing = await hoptrail('index', join(home, 'nowhere'));
    assert.equal(missing.code, 1);
    assert.match(missing.err, /nowhere does not exist/);
    assert.doesNotMatch(missing.err, /\n\s+at /);
    assert.equal((await hoptrail('index', cli)).code, 1);
    assert.equal((await hoptrail('search', notes)).code, 2);
    assert.equal((await hoptrail('guess')).code, 2);
    const bad = await hoptrail('eval', 'retrieval', '--data', join(home, 'nowhere.jsonl'));
    assert.equal(bad.code, 1);
    assert.match(bad.err, /nowhere\.jsonl cannot be read/);
    const flags = '--base-url http://127.0.0.1:9/v1 --model none --operator single-step'.split(' ');
    const dead = await hoptrail('ask', notes, 'What froze?', ...flags);
    assert.equal(dead.code, 1, dead.out);
    assert.match(dead.err, /127\.0\.0\.1:9/);
    assert.match(dead.out, /silent-weekend/, 'what was found without the model is printed all the same');
    for (const [wrong, said] of [
      [['ask', notes, ' '], /question is empty/],
      [['search', notes, ''], /query is empty/],
      [['ask', notes, 'q', '--operators', 'foo'], /Unknown operator foo/],
      [['ask', notes, 'q', '--strategy', 'fixed:nosuch'], /no-retrieval>vote/],
      [['search', notes, 'x', '--limit', '1000000'], /At most 1000/],
    ] as const) {
      const { code, err } = await hoptrail(...wrong);
      assert.equal(code, 2, err);
      assert.match(err, said);
    }
    const compared = await hoptrail('eval', 'compare', join(home, 'missing.jsonl'), join(home, 'gone.jsonl'));
    assert.equal(compared.code, 1, compared.out);
    assert.match(compared.err, /There is no file .*missing\.jsonl/);
  });

  it('keeps what it knows of a folder that is empty or gone until it is told that this is meant', async () => {
    const drive = join(home, 'drive');
    mkdirSync(drive);
    for (let i = 0; i < 4; i++)
      writeFileSync(join(drive, `note-${i}.md`), `# Yew Hut ${i}\n\nThe keeper of Yew Hut ${i} is Kai.\n`);
    await json<IndexOutput>('index', drive);
    for (const gone of [false, true]) {
      rmSync(drive, { recursive: true });
      if (!gone) mkdirSync(drive);
      const refused = await hoptrail('index', drive);
      assert.equal(refused.code, 1, refused.out);
      assert.match(
        refused.err,
        gone ? /cannot be read.*was kept/ : /holds nothing any more, and the index knows 4 files/,
      );
      if (!gone) assert.match(refused.err, /--emptied/);
      const { code, out, err } = await hoptrail('search', drive, 'keeper of Yew Hut', '--retriever', 'text');
      assert.equal(code, 0, err);
      assert.match(out, /note-\d\.md:1/);
      assert.match(err, /These results are from what was indexed before/);
      if (!gone) mkdirSync(drive, { recursive: true });
    }
    assert.equal((await json<IndexOutput>('index', drive, '--emptied')).files, 0);
  });

  it('takes paths as they are typed, and says when one is not there', async () => {
    const scoped = join(home, 'scoped');
    mkdirSync(join(scoped, 'north'), { recursive: true });
    writeFileSync(join(scoped, 'north', 'hut.md'), '# Birch Hut\n\nThe keeper of Birch Hut is Odd.\n');
    writeFileSync(join(scoped, 'hut.md'), '# Pine Hut\n\nThe keeper of Pine Hut is Liv.\n');
    for (const path of ['north', './north/', join(scoped, 'north')]) {
      const { out, err } = await hoptrail('search', scoped, 'keeper of the hut', '--path', path, '--json');
      assert.deepEqual(
        (JSON.parse(out) as { path: string }[]).map((hit) => hit.path),
        ['north/hut.md'],
        err,
      );
    }
    for (const [path, said] of [
      ['south', /There is no south in/],
      ['..', /lies outside of/],
    ] as const) {
      const { code, err } = await hoptrail('ask', scoped, 'Who keeps the hut?', '--path', path);
      assert.equal(code, 2, err);
      assert.match(err, said);
    }
  });

  it('says so when the index cannot lie where it was told to', async () => {
    const { code, err } = await hoptrail('search', notes, 'frost', '--index', cli);
    assert.equal(code, 1, err);
    assert.match(err, /No index can lie there: .*cli\.cjs/);
    assert.match(err, /Name a folder/);
  });

  it('prints nothing that a terminal obeys, whatever names, headings, texts and errors hold', async () => {
    const hostile = join(home, 'hostile');
    mkdirSync(hostile);
    // A file is read without the first two, which clear and name a terminal; what it is called keeps them.
    const kept = '\u202e\u2066\u009b31m\u0085\u007f';
    const evil = `\u001b]0;owned\u0007\u001b[2J${kept}`;
    writeFileSync(join(hostile, `hut${evil}.md`), `# Larch Hut ${evil}\n\nThe keeper of Larch Hut ${evil} is Eva.\n`);
    writeFileSync(join(hostile, `noise${evil}.md`), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 0, 0]));
    const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
    for (const command of [
      ['index', hostile],
      ['search', hostile, 'keeper of Larch Hut', '--explain'],
      ['search', hostile, 'keeper of Larch Hut', '--json'],
      ['ask', hostile, 'Who is the keeper of Larch Hut?'],
      ['ask', hostile, 'Who is the keeper of Larch Hut?', '--events'],
      ['status', hostile],
      ['search', hostile, 'x', '--path', `no${evil}`],
      ['index', join(hostile, `no${evil}`)],
      [`guess${evil}`],
    ]) {
      const { out, err } = await hoptrail(...command);
      assert.doesNotMatch(out + err, obeyed, command[0]);
      if (command.includes('--json'))
        assert.ok(
          (JSON.parse(out) as { text: string }[]).some(({ text }) => text.includes(kept)),
          'JSON says the same, escaped',
        );
    }
    // The name of a file is written out, not left out.
    const odd = join(home, 'odd');
    mkdirSync(odd);
    writeFileSync(join(odd, 'a\u001b[31m.md'), '# Elm Hut\n\nThe keeper of Elm Hut is Una.\n');
    const { out } = await hoptrail('search', odd, 'keeper of Elm Hut');
    assert.match(out, /a\\u\{1b\}\[31m\.md:1/);
  });
});
