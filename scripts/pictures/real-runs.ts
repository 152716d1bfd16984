import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ResearchEvent } from '../../src/research/domain/research-event.ts';
import { type FakeReply, FakeOpenAiServer, type FakeRequest } from '../../test/doubles/fake-openai-server.ts';
import type { PanelRuns } from '../../test/doubles/panel-states.ts';
import { trailAssistantReply } from '../../test/doubles/model-scripts/trail-assistant.ts';
import { demoQuestion } from '../demo-question.ts';
import { repositoryRoot } from '../vscode-host/locations.ts';

/** How the model of the pictures is called on them. */
export const SCRIPTED_MODEL = 'a scripted model';
/** Calls that the model answers before it fails: it has split the question and answered the first part. */
const CALLS_BEFORE_FAILURE = 2;

interface Asking {
  folder: string;
  question: string;
  /** Flags of `hoptrail ask`. */
  flags?: readonly string[];
  /** Ctrl-C once this is true of what was told so far. */
  until?(events: readonly ResearchEvent[]): boolean;
}

/**
 * The runs that the pictures show, recorded from the built command line (`npm run build` first) over the examples:
 * those with a language model ask one that is scripted, behind a real server. The same engine answers in the panel.
 */
export async function realRuns(): Promise<PanelRuns> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-pictures-'));
  const run = (asking: Asking): Promise<ResearchEvent[]> => record(asking, home);
  const notes = { folder: 'notes', question: demoQuestion };
  try {
    const quotes = await run(notes);
    const abstained = await run({ folder: 'notes', question: 'Which company insures the masts?' });
    const code = await run({
      folder: 'code',
      question: 'Which exception does the service raise when someone gives the birch kiln the stoneware schedule?',
    });
    const answering = (question: string, ...flags: string[]): Promise<ResearchEvent[]> =>
      withModel(trailAssistantReply, (endpoint) => run({ folder: 'notes', question, flags: [...endpoint, ...flags] }));
    const answered = await answering(demoQuestion, '--debate', 'full');
    const followed = await answering('Who keeps our account with Halden Cells?', '--operator', 'single-step');
    const failing = (request: FakeRequest, index: number): FakeReply =>
      index < CALLS_BEFORE_FAILURE ? trailAssistantReply(request) : { kind: 'status', status: 503 };
    const failed = await withModel(failing, (endpoint) =>
      run({ ...notes, flags: [...endpoint, '--operator', 'sub-step'] }),
    );
    const hanging = (request: FakeRequest, index: number): FakeReply =>
      index < CALLS_BEFORE_FAILURE ? trailAssistantReply(request) : { kind: 'hang', after: '' };
    const stopped = await withModel(hanging, (endpoint) =>
      run({
        ...notes,
        flags: [...endpoint, '--operator', 'sub-step'],
        until: (events) => events.filter((event) => event.type === 'passages-retrieved').length > 1,
      }),
    );
    return {
      answered,
      followed,
      quotes,
      code,
      abstained,
      failed,
      stopped,
      running: answered.slice(0, 1 + answered.findIndex(isSecondSearch())),
      streaming: answered.slice(0, 1 + answered.findIndex((event) => event.type === 'answer-delta')),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** True at the second search of a run, which is then in the middle of its work. */
function isSecondSearch(): (event: ResearchEvent) => boolean {
  let searches = 0;
  return (event) => event.type === 'passages-retrieved' && (searches += 1) === 2;
}

async function withModel<T>(
  replies: (request: FakeRequest, index: number) => FakeReply,
  work: (flags: readonly string[]) => Promise<T>,
): Promise<T> {
  const server = await FakeOpenAiServer.start({ replies });
  try {
    return await work(['--base-url', server.baseUrl, '--model', SCRIPTED_MODEL]);
  } finally {
    await server.stop();
  }
}

/** The events of one run. @throws when the program ends without any */
async function record({ folder, question, flags = [], until }: Asking, home: string): Promise<ResearchEvent[]> {
  const args = ['dist/cli.cjs', 'ask', path.join('examples', folder), question, '--events', ...flags];
  const child = spawn(process.execPath, args, {
    cwd: repositoryRoot,
    env: { ...process.env, XDG_CACHE_HOME: home, HOME: home, USERPROFILE: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const events: ResearchEvent[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    events.push(JSON.parse(line) as ResearchEvent);
    if (until?.(events) === true && !child.killed) child.kill('SIGINT');
  }
  if (events.length === 0) throw new Error(`node ${args.join(' ')} told nothing: is it built?`);
  return events;
}
