import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { modelsDir } from '../places.ts';
import { assumedPrior } from '../bandit/assumed-outcomes.ts';

/** Writes `models/bandit-prior.json`. `hoptrail eval bandit --write-prior F` makes one of gathered outcomes alone. */
const file = path.join(modelsDir, 'bandit-prior.json');
writeFileSync(file, `${JSON.stringify(assumedPrior(), null, 1)}\n`);
process.stderr.write(`wrote ${file}\n`);
