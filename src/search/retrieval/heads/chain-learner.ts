import { z } from 'zod';
import type { Port, Requests } from '../../domain/request.ts';
import { type ChainHeads, chainScorerShape, type ChainScorerWeights, type HeadName } from '../chain-scorer.ts';
import { decide } from '../chain/beam-search.ts';
import { searchChains, type ChainSearchPorts, rankHits } from '../chain/chain-search.ts';
import { mostlyCode } from '../features/passage-profile.ts';
import { FeatureChainScorer } from '../feature-chain-scorer.ts';
import type { HeadsInUse } from './heads-in-use.ts';
import { boostFurther } from './train-chain-scorer.ts';
import { type ExampleGroup, RecordingScorer } from './recording-scorer.ts';
import { predictTable } from './model.ts';

const labelledTrail = z.object({
  id: z.string(),
  question: z.string(),
  /**
   * The question on the way to which it was asked: trails of one are not split between learning and judging. Absent:
   * its own.
   */
  runQuestion: z.string().optional(),
  passageIds: z.array(z.string()).min(1).readonly(),
});
/** A question with the passages that answered it: what a chain should have found. */
export type LabelledTrail = z.infer<typeof labelledTrail>;

const trailScore = z.object({
  id: z.string(),
  /** Share of its passages among the first five hits. */
  recall5: z.number(),
  /** 1 when the chain that was chosen holds exactly its passages. */
  chainEM: z.number(),
});
/** How well a question's trail was found, both from 0 to 1. */
export type TrailScore = z.infer<typeof trailScore>;

const trails = z.array(labelledTrail).readonly();
/** Undefined: the heads that the product came with. */
const heads = chainScorerShape.optional();

export const learnerRequests = {
  /**
   * Heads that have learnt from these trails on top of what is in use; what is in use does not change. Deterministic
   * for a seed, the second argument.
   */
  train: { args: z.tuple([trails, z.number().int()]), reply: chainScorerShape },
  /** How well heads find these trails. Trails whose passages are gone are left out. */
  score: { args: z.tuple([heads, trails]), reply: z.array(trailScore) },
  /** Puts heads to use from the next search on. */
  use: { args: z.tuple([heads]), reply: z.void() },
} satisfies Requests;

/** Port: the chain scorer as something that goes on learning. Lives in the index process, beside index and encoder. */
export type ChainLearner = Port<typeof learnerRequests>;

/** Chains are led one hop beyond the trail, at most to this length, so that ones too long are seen as well. */
const LONGEST = 5;

/** @param inUse The heads of searches; {@link ChainLearner.use} changes them. */
export function createChainLearner(ports: Omit<ChainSearchPorts, 'scorer'>, inUse: HeadsInUse): ChainLearner {
  const present = async (trail: LabelledTrail): Promise<boolean> =>
    (await ports.index.get(trail.passageIds)).length === new Set(trail.passageIds).size;
  return {
    async train(trails, seed, signal) {
      const { weights } = inUse;
      const groups: ExampleGroup[] = [];
      let learnt = 0;
      for (const trail of trails) {
        signal?.throwIfAborted();
        if (!(await present(trail))) continue;
        groups.push(...(await record(ports, weights, trail, signal)));
        learnt += 1;
      }
      const learned = (heads: ChainHeads, code: boolean): ChainHeads => {
        const of = (head: HeadName): ExampleGroup[] =>
          groups.filter((group) => group.head === head && isCode(group) === code);
        return {
          first: boostFurther(heads.first, of('first'), seed),
          next: boostFurther(heads.next, of('next'), seed),
          complete: boostFurther(heads.complete, of('complete'), seed),
        };
      };
      return {
        ...weights,
        prose: learned(weights.prose, false),
        ...(groups.some(isCode) && { code: learned(weights.code ?? weights.prose, true) }),
        trainedOn: { ...weights.trainedOn, further: { trails: learnt, seed } },
      };
    },
    async score(weights, trails, signal) {
      const scores: TrailScore[] = [];
      const judged = new FeatureChainScorer(inUse.with(weights), ports.profiles);
      for (const trail of trails) {
        signal?.throwIfAborted();
        if (!(await present(trail))) continue;
        const found = await searchChains({ ...ports, scorer: judged }, trail.question, {}, signal);
        const gold = new Set(trail.passageIds);
        const chain = new Set(decide(found.result.chains)[0]?.passages.map((passage) => passage.id));
        const hits = rankHits(found, 5).filter((hit) => gold.has(hit.passage.id));
        scores.push({
          id: trail.id,
          recall5: hits.length / gold.size,
          chainEM: Number(chain.size === gold.size && [...chain].every((id) => gold.has(id))),
        });
      }
      return scores;
    },
    async use(weights) {
      inUse.use(weights);
    },
  };
}

/** Everything that was scored on the way to a trail, with what was right at each hop. */
async function record(
  ports: Omit<ChainSearchPorts, 'scorer'>,
  weights: ChainScorerWeights,
  trail: LabelledTrail,
  signal?: AbortSignal,
): Promise<ExampleGroup[]> {
  const headsFor = (code: boolean): ChainHeads => (code && weights.code ? weights.code : weights.prose);
  let code = false; // completeness is asked of a chain whose candidates were just scored
  const recording = new RecordingScorer(
    ports.profiles,
    (head, table, passages) => {
      if (passages.length > 0) code = mostlyCode(passages);
      return predictTable(headsFor(code)[head], table);
    },
    { id: trail.id, set: 'own', gold: trail.passageIds },
  );
  await searchChains(
    { ...ports, scorer: recording },
    trail.question,
    { maxHops: Math.min(LONGEST, trail.passageIds.length + 1), stop: 'threshold', threshold: -Infinity },
    signal,
  );
  return recording.groups;
}

const isCode = (group: ExampleGroup): boolean =>
  group.code.filter(Boolean).length * 2 >= Math.max(1, group.code.length);
