/**
 * Regret of choosing among the 97 graphs over three agents, simulated: a world in which a graph's quality follows from
 * its structure, and one in which a part of it does not. `node --import tsx lab/bench/regret.ts [STEPS]`: mean
 * cumulative regret over ten seeds, with 95 % intervals. Then how curious to be with a prior, as the product has one:
 * learnt, with the weight of 500 outcomes, in a world that is like this one in part.
 */
import { seededRandom } from '#base';
import { EpsilonGreedyPolicy, uniformPolicy } from '../bandit/baseline-policies.ts';
import { LinUcb } from '../bandit/lin-ucb.ts';
import {
  annealedExploration,
  constantExploration,
  type Exploration,
  type Policy,
  productExploration,
  SharedLinUcb,
} from '#learning/lab';
import { actions, DIMENSIONS, makeWorld, regretOf, structures, type World } from '../../test/doubles/strategy-world.ts';
import { figureOf } from '../statistics.ts';

const STEPS = Number(process.argv[2] ?? 600);
const SEEDS = Array.from({ length: 10 }, (_, i) => 11 + i);
const POLICIES: Record<string, (seed: number) => Policy> = {
  'LinUCB, graphs learn together': () =>
    new SharedLinUcb(structures, DIMENSIONS, { exploration: annealedExploration() }),
  'ε-greedy': (seed) => new EpsilonGreedyPolicy(actions.length, DIMENSIONS, seededRandom(seed)),
  'LinUCB, α annealed': () => new LinUcb(actions.length, DIMENSIONS, annealedExploration()),
  'LinUCB, α = 2': () => new LinUcb(actions.length, DIMENSIONS, constantExploration()),
  uniform: (seed) => uniformPolicy(actions.length, seededRandom(seed)),
};

const PRIOR_WEIGHT = 500;
/** Of outcomes of which the prior's own are not counted. */
const ofOwn =
  (exploration: Exploration): Exploration =>
  (steps) =>
    exploration(steps - PRIOR_WEIGHT);
const CURIOSITIES: Record<string, Exploration> = {
  'α = 0.7/√(1 + n/2), the prior counted (the product)': productExploration(),
  'α = 2/√(1 + n/2), the prior counted': annealedExploration(2, 2),
  'α = 2/√(1 + n/2), own outcomes only': ofOwn(annealedExploration(2, 2)),
  'α = 0.5/√(1 + n/2), own outcomes only': ofOwn(annealedExploration(0.5, 2)),
  'α = 0': () => 0,
};

/** A bandit that has learnt what is expected in another world, mixed with what is true in this one. */
function withPrior(world: World, other: World, truth: number, exploration: Exploration): SharedLinUcb {
  const bandit = new SharedLinUcb(structures, DIMENSIONS, { exploration });
  const rounds = 10;
  for (let i = 0; i < rounds * actions.length; i += 1) {
    const [x, action] = [other.features(), i % actions.length];
    const [real, assumed] = [world.expected(x, action), other.expected(x, action)];
    bandit.learn(
      x,
      action,
      { quality: truth * real.quality + (1 - truth) * assumed.quality, cost: real.cost },
      PRIOR_WEIGHT / (rounds * actions.length),
    );
  }
  return bandit;
}

function print(name: string, regrets: readonly number[]): void {
  const { mean, ci95 } = figureOf(regrets, 1);
  console.log(`  ${name}: ${mean.toFixed(1)} [${ci95.map((end) => end.toFixed(1)).join(', ')}]`);
}

for (const [world, quirk] of [
  ['structure tells all', 0],
  ['structure tells a part', 0.03],
] as const) {
  process.stdout.write(`\n${world}, ${STEPS} questions\n`);
  for (const [name, make] of Object.entries(POLICIES)) {
    print(
      name,
      SEEDS.map((seed) => regretOf(make(seed), makeWorld(seed, quirk), [STEPS])[0] ?? 0),
    );
  }
}

for (const truth of [0.9, 0.5, 0]) {
  process.stdout.write(`\nwith a prior, ${100 * truth} % of it true, ${STEPS} questions\n`);
  for (const [name, exploration] of Object.entries(CURIOSITIES)) {
    print(
      name,
      SEEDS.map((seed) => {
        const world = makeWorld(seed, 0.03);
        return regretOf(withPrior(world, makeWorld(seed + 100, 0.03), truth, exploration), world, [STEPS])[0] ?? 0;
      }),
    );
  }
}
