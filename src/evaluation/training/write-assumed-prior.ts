import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assumedPrior } from '../../reasoning/strategy/bandit/assumed-outcomes.ts';

/** Writes `models/bandit-prior.json` of the assumed outcomes. `hoptrail eval bandit --write-prior F` makes one of outcomes that were gathered. */
const file = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../models/bandit-prior.json');
writeFileSync(file, `${JSON.stringify(assumedPrior(), null, 1)}\n`);
process.stderr.write(`wrote ${file}\n`);
