// Loaded before every suite: what is tried at random is the same on every machine, so that a failure belongs to the
// change that it meets. HOPTRAIL_TEST_SEED=NUMBER tries other cases, HOPTRAIL_TEST_SEED=random others each time;
// fast-check prints the seed of a failure.
import fc from 'fast-check';

const seed = process.env['HOPTRAIL_TEST_SEED'] ?? '20241121';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
