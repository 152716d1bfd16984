/**
 * Writes `models/bandit-prior.json`, what the choice of strategies starts from: of the outcomes in bench/strategy-outcomes.jsonl, and of what is
 * assumed where nothing was measured (other models, code, overviews). `npx tsx src/evaluation/training/write-prior.ts`
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { priorFromOutcomes } from '../bandit/prior-from-outcomes.ts';
import { readOutcomes } from '../bandit/outcome-log.ts';
import { assumedOutcomes } from '../../reasoning/strategy/bandit/assumed-outcomes.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const file = path.join(root, 'models', 'bandit-prior.json');
writeFileSync(file, `${JSON.stringify(priorFromOutcomes(readOutcomes(path.join(root, 'bench', 'strategy-outcomes.jsonl')), { besides: assumedOutcomes() }), null, 1)}\n`);
process.stderr.write(`wrote ${file}\n`);
