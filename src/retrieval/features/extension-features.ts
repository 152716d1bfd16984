import type { FeatureRow } from './candidate-features.ts';
import { cosine } from './candidate-features.ts';
import { mentions, sentenceCoverage, type ChainProfile } from './chain-profile.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { QuestionProfile } from './question-profile.ts';

/** How a candidate continues a chain: what head 2 sees beside {@link questionFeatures}. */
export function extensionFeatures(question: QuestionProfile, chain: ChainProfile, vectors: readonly Float32Array[], logits: readonly number[], candidates: readonly PassageProfile[]): FeatureRow[] {
  const rarity = nameRarity(candidates, chain);
  return candidates.map((candidate) => ({
    ...residualFeatures(question, chain, candidate),
    ...vectorFeatures(question, chain, vectors, candidate),
    ...bridgeFeatures(question, chain, candidate, rarity),
    ...linkFeatures(chain, candidate),
    'chain.hops': chain.passages.length,
    'chain.lastLogit': logits.at(-1) ?? 0,
    'chain.lowestLogit': Math.min(...logits),
    'chain.covered': chain.coveredIdf / Math.max(1e-9, question.totalIdf),
    'chain.openNames': chain.openNames.length,
    'chain.bridges': chain.bridges.size,
  }));
}

/** What the chain leaves open and the candidate covers. */
function residualFeatures(question: QuestionProfile, chain: ChainProfile, candidate: PassageProfile): FeatureRow {
  let gained = 0;
  for (const key of chain.residual) if (candidate.counts.has(key)) gained += question.idf.get(key) ?? 0;
  let bestSentence = 0;
  for (const sentence of candidate.sentences) {
    let sum = 0;
    for (const key of chain.residual) if (sentence.stems.has(key)) sum += question.idf.get(key) ?? 0;
    bestSentence = Math.max(bestSentence, sum);
  }
  const openNames = chain.openNames.filter((name) => mentions(candidate, name.key)).length;
  return {
    gain: gained / Math.max(1e-9, question.totalIdf),
    gainOfOpen: gained / Math.max(1e-9, chain.residualIdf),
    gainSentence: bestSentence / Math.max(1e-9, question.totalIdf),
    stillOpen: (chain.residualIdf - gained) / Math.max(1e-9, question.totalIdf),
    openNames,
    openNamesInTitle: chain.openNames.filter((name) => candidate.titles.some((form) => ` ${form} `.includes(` ${name.key} `))).length,
  };
}

function vectorFeatures(question: QuestionProfile, chain: ChainProfile, vectors: readonly Float32Array[], candidate: PassageProfile): FeatureRow {
  const own = candidate.passage.vector;
  const toChain = chain.passages.map((passage) => cosine(passage.passage.vector, own));
  const [residual, ...perName] = vectors;
  return {
    residualCosine: cosine(residual, own),
    nameCosine: perName.length === 0 ? cosine(residual, own) : Math.max(...perName.map((vector) => cosine(vector, own))),
    lastCosine: toChain.at(-1) ?? 0,
    chainCosine: Math.max(...toChain),
    // How much nearer the candidate is to the question than to where the chain already stands.
    awayFromChain: cosine(question.vector, own) - Math.max(...toChain),
  };
}

/** Rarity among the candidates of every name that the chain could lead on by. */
function nameRarity(candidates: readonly PassageProfile[], chain: ChainProfile): Map<string, number> {
  const rarity = new Map<string, number>();
  for (const key of chain.bridges.keys()) {
    let count = 0;
    for (const candidate of candidates) if (mentions(candidate, key)) count++;
    rarity.set(key, Math.log((1 + candidates.length) / (1 + count)));
  }
  return rarity;
}

function bridgeFeatures(question: QuestionProfile, chain: ChainProfile, candidate: PassageProfile, rarity: ReadonlyMap<string, number>): FeatureRow {
  let titleBridge = 0;
  let titleSupport = 0;
  let shared = 0;
  let rarest = 0;
  let best = 0;
  let fromLast = 0;
  let support = 0;
  const supports = candidate.sentences.map((sentence) => ({ form: sentence.form, open: openCoverage(question, chain, sentence.stems) }));
  const titleOpen = openCoverage(question, chain, candidate.titleStems);
  for (const bridge of chain.bridges.values()) {
    const inTitle = candidate.titles.includes(bridge.key);
    if (!inTitle && !mentions(candidate, bridge.key)) continue;
    const weight = rarity.get(bridge.key) ?? 0;
    shared += weight;
    rarest = Math.max(rarest, weight);
    if (inTitle) {
      titleBridge = Math.max(titleBridge, bridge.key.split(' ').length);
      titleSupport = Math.max(titleSupport, bridge.support + 0.01);
    }
    if (bridge.hop === chain.passages.length - 1) fromLast = Math.max(fromLast, weight);
    support = Math.max(support, bridge.support * weight);
    const whole = inTitle ? Math.max(titleOpen, ...supports.map(({ open }) => open)) : 0;
    const open = Math.max(whole, titleOpen * 0.5, ...supports.filter(({ form }) => form.includes(` ${bridge.key} `)).map((sentence) => sentence.open));
    best = Math.max(best, weight * (0.1 + bridge.support) * (0.1 + open));
  }
  const chainTitles = chain.passages.flatMap((passage) => passage.titles.slice(0, 1));
  const named = chainTitles.filter((title) => candidate.form.includes(` ${title} `));
  return {
    bridgeTitle: titleBridge,
    bridgeTitleSupport: titleSupport,
    bridgeShared: Math.min(shared, 12),
    bridgeRarest: rarest,
    bridgeFromLast: fromLast,
    bridgeSupport: support,
    bridgeBest: best,
    namesChainTitle: named.length,
    namesLastTitle: Number(chain.last.titles.slice(0, 1).some((title) => candidate.form.includes(` ${title} `))),
    namesNewTitle: named.filter((title) => !question.form.includes(` ${title} `)).length,
    titleNamedInChain: Number(candidate.titles.some((title) => title.length > 3 && chain.passages.some((passage) => passage.form.includes(` ${title} `)))),
    titlePartsInLast: titleParts(candidate, chain),
    sameTitle: Number(candidate.titles.some((title) => chainTitles.includes(title))),
  };
}

const openCoverage = (question: QuestionProfile, chain: ChainProfile, stems: ReadonlySet<string>): number => {
  let sum = 0;
  for (const key of chain.residual) if (stems.has(key)) sum += question.idf.get(key) ?? 0;
  return question.totalIdf === 0 ? 0 : sum / question.totalIdf;
};

/** Share of the candidate's title words that one sentence of the last passage says and the question does not. */
function titleParts(candidate: PassageProfile, chain: ChainProfile): number {
  if (candidate.titleStems.size === 0) return 0;
  let best = 0;
  for (const sentence of chain.last.sentences) {
    let shared = 0;
    for (const key of candidate.titleStems) if (sentence.stems.has(key) && !chain.covered.has(key)) shared++;
    best = Math.max(best, shared / candidate.titleStems.size);
  }
  return best;
}

function linkFeatures(chain: ChainProfile, candidate: PassageProfile): FeatureRow {
  let out = 0;
  let back = 0;
  for (const passage of chain.passages) {
    out += meeting(passage.linkKeys, candidate.nameKeys);
    back += meeting(candidate.linkKeys, passage.nameKeys);
  }
  const sameFile = chain.passages.some((passage) => passage.passage.path === candidate.passage.path);
  return { linksOut: Math.min(out, 5), linksBack: Math.min(back, 5), sameFile: Number(sameFile) };
}

function meeting(links: ReadonlySet<string>, names: ReadonlySet<string>): number {
  let count = 0;
  for (const key of links) if (names.has(key)) count++;
  return count;
}

/** Sentence of a passage that covers most of the question, for completeness and reasons; -1 for an empty passage. */
export function bestSentence(question: QuestionProfile, passage: PassageProfile): number {
  let best = -1;
  let coverage = -1;
  passage.sentences.forEach((sentence, i) => {
    const value = sentenceCoverage(question, sentence);
    if (value > coverage) [best, coverage] = [i, value];
  });
  return best;
}
