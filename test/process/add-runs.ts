/** A window that learns: keeps runs in one file when its parent says so. `add-runs.ts FILE NAME COUNT` */
import { deriveRecords } from '../../src/learning/experience/derive-records.ts';
import { ExperienceStore } from '../../src/learning/experience/experience-store.ts';
import { fileOnDisk } from '../../src/base/line-file.ts';
import { ending, node } from '../unit/learning/experience/run-records.ts';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
const store = new ExperienceStore(fileOnDisk(file));

async function addRuns(): Promise<void> {
  for (let i = 0; i < Number(count); i += 1) {
    const runId = `${name}-${i}`;
    const question = `What does ${name} ask in run ${i}?`;
    await store.replaceRun(
      runId,
      deriveRecords(
        [
          node('s1', { runId, question, subQuestion: `Where is rope ${i} of ${name} bought?` }),
          ending({ runId, question }),
        ],
        {},
      ).records,
    );
  }
}

process.once('message', () => void addRuns().then(() => process.disconnect()));
process.send?.('ready');
