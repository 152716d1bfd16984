import { unitsOf } from './test/unit/search/reading/units-harness.ts';
import { readFileSync } from 'node:fs';
const [p] = process.argv.slice(2);
console.log((await unitsOf(p, readFileSync(p,'utf8'))).join('\n'));
