/**
 * A thread of 1,000 messages (500 questions with their answers) in the panel: time to show it, time of a frame while
 * scrolling through it, time from a key to the next frame, heap. `node --import tsx lab/bench/panel.ts [TURNS]`. The
 * panel's real bundle in a browser, the editor scripted; the turns are recorded runs over the examples (`npm run build`
 * first).
 */
import { realRuns } from '../../scripts/pictures/real-runs.ts';
import { launchBrowser } from '../../scripts/vscode-host/browser.ts';
import { rounded, timesOf } from '../statistics.ts';
import { PanelPage, threadMessages, turnOf } from '../../test/doubles/panel-page.ts';

const TURNS = Number(process.argv[2] ?? 500);
const STEPS = 120;
const KEYS = 30;
const MEGABYTE = 1024 * 1024;

interface Measured {
  open: number;
  frames: number[];
  keys: number[];
  heap: number;
  nodes: number;
}

async function measure(turns: number): Promise<Measured> {
  const panel = await PanelPage.open(browser, { width: 360, height: 900 });
  const session = await panel.page.context().newCDPSession(panel.page);
  const messages = threadMessages(
    Array.from({ length: turns }, (_, i) => {
      const events = (i % 4 === 3 ? runs.code : runs.answered).map((event) => ({ ...event, runId: `run-${i}` }));
      return turnOf(events);
    }),
  );
  const began = performance.now();
  await panel.send(...messages);
  await panel.page.locator('article.turn').last().waitFor();
  const open = performance.now() - began;
  const frames = await panel.page.evaluate(async (steps) => {
    const scroller =
      [...document.querySelectorAll('*')]
        .filter(
          (element) =>
            element.scrollHeight > element.clientHeight + 100 &&
            /auto|scroll/.test(getComputedStyle(element).overflowY),
        )
        .sort((a, b) => b.scrollHeight - a.scrollHeight)[0] ?? document.documentElement;
    const times: number[] = [];
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let step = 0; step < steps; step++) {
      scroller.scrollTop = scroller.scrollHeight * (1 - step / steps);
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      times.push(now - last);
      last = now;
    }
    return times;
  }, STEPS);
  const keys: number[] = [];
  await panel.page.locator('.composer textarea').focus();
  for (let key = 0; key < KEYS; key++) {
    const started = performance.now();
    await panel.page.keyboard.type('a');
    await panel.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    keys.push(performance.now() - started);
  }
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const nodes = await panel.page.evaluate(() => document.querySelectorAll('*').length);
  await panel.close();
  return { open, frames, keys, heap: usedSize / MEGABYTE, nodes };
}

const report = ({ open, frames, keys, heap, nodes }: Measured): Record<string, number> => ({
  'open ms': rounded(open, 1),
  'frame p50 ms': timesOf(frames, 1).p50,
  'frame p95 ms': timesOf(frames, 1).p95,
  'key to frame p95 ms': timesOf(keys, 1).p95,
  'heap MB': rounded(heap, 1),
  elements: nodes,
});

const runs = await realRuns();
const browser = await launchBrowser();
try {
  await measure(2);
  process.stdout.write(
    `${JSON.stringify({ '1 turn': report(await measure(1)), [`${TURNS} turns`]: report(await measure(TURNS)) }, null, 2)}\n`,
  );
} finally {
  await browser.close();
}
