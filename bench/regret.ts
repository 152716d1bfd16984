/**
 * Regret of choosing among the 97 graphs over three agents, simulated: a world in which a graph's quality follows from its structure, and one in
 * which a part of it does not. `node --import tsx bench/regret.ts [STEPS]`: mean cumulative regret over ten seeds, with 95 % intervals.
 */
import { bootstrapInterval, mean } from '../src/evaluation/bootstrap.ts';
import { seededRandom } from '../src/retrieval/learning/random.ts';
import { EpsilonGreedyPolicy, UniformPolicy } from '../src/reasoning/strategy/bandit/baseline-policies.ts';
import { annealedExploration, constantExploration } from '../src/reasoning/strategy/bandit/exploration.ts';
import { LinUcb } from '../src/reasoning/strategy/bandit/lin-ucb.ts';
import type { Policy } from '../src/reasoning/strategy/bandit/policy.ts';
import { SharedLinUcb } from '../src/reasoning/strategy/bandit/shared-lin-ucb.ts';
import { actions, DIMENSIONS, makeWorld, regretOf, structures } from '../test/doubles/strategy-world.ts';

const STEPS = Number(process.argv[2] ?? 600);
const SEEDS = Array.from({ length: 10 }, (_, i) => 11 + i);
const POLICIES: Record<string, (seed: number) => Policy> = {
  'LinUCB, graphs learn together': () => new SharedLinUcb(structures, DIMENSIONS, { exploration: annealedExploration() }),
  'ε-greedy': (seed) => new EpsilonGreedyPolicy(actions.length, DIMENSIONS, seededRandom(seed)),
  'LinUCB, α annealed': () => new LinUcb(actions.length, DIMENSIONS, annealedExploration()),
  'LinUCB, α = 2': () => new LinUcb(actions.length, DIMENSIONS, constantExploration()),
  uniform: (seed) => new UniformPolicy(actions.length, seededRandom(seed)),
};

for (const [world, quirk] of [['structure tells all', 0], ['structure tells a part', 0.03]] as const) {
  process.stdout.write(`\n${world}, ${STEPS} questions\n`);
  for (const [name, make] of Object.entries(POLICIES)) {
    const regrets = SEEDS.map((seed) => regretOf(make(seed), makeWorld(seed, quirk), [STEPS])[0] ?? 0);
    process.stdout.write(`  ${name}: ${mean(regrets).toFixed(1)} [${bootstrapInterval(regrets, 1).map((value) => value.toFixed(1)).join(', ')}]\n`);
  }
}
