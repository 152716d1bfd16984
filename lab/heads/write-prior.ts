import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assumedPrior } from '../bandit/assumed-outcomes.ts';

/** Writes `models/bandit-prior.json`. `hoptrail eval bandit --write-prior F` makes one of gathered outcomes alone. */
const file = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../models/bandit-prior.json');
writeFileSync(file, `${JSON.stringify(assumedPrior(), null, 1)}\n`);
process.stderr.write(`wrote ${file}\n`);
