import { FeatureTable } from './feature-table.ts';
import {
  addFileFeatures,
  type FeatureRow,
  linkedFrom,
  namesOneOf,
  questionConstants,
  questionFeatures,
} from './candidate-features.ts';
import { cosine } from '#base';
import { type ChainProfile, coverageOf, mentions, openGain, rarityOf } from './chain-profile.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { AnalysedQuestion } from '../question.ts';

/** What the chain leaves open and the candidate covers. */
function residualFeatures(question: AnalysedQuestion, chain: ChainProfile, candidate: PassageProfile): FeatureRow {
  const gained = openGain(question, chain, candidate);
  const bestSentence = Math.max(
    0,
    ...candidate.sentences.map(({ stems }) => rarityOf(question, chain.residual, (key) => stems.has(key))),
  );
  const openNames = chain.openNames.filter((name) => mentions(candidate, name.key)).length;
  return {
    gain: gained / Math.max(1e-9, question.totalIdf),
    gainOfOpen: gained / Math.max(1e-9, chain.residualIdf),
    gainSentence: bestSentence / Math.max(1e-9, question.totalIdf),
    stillOpen: (chain.residualIdf - gained) / Math.max(1e-9, question.totalIdf),
    openNames,
    openNamesInTitle: chain.openNames.filter((name) =>
      candidate.titles.some((form) => ` ${form} `.includes(` ${name.key} `)),
    ).length,
  };
}

function vectorFeatures(
  question: AnalysedQuestion,
  chain: ChainProfile,
  residual: Float32Array | undefined,
  candidate: PassageProfile,
): FeatureRow {
  const own = candidate.passage.vector;
  const toChain = chain.passages.map((passage) => cosine(passage.passage.vector, own));
  return {
    residualCosine: cosine(residual, own),
    residualOverQuestion: cosine(residual, own) - cosine(question.vector, own),
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

/** Titles by which a chain's passage is looked for in a candidate: its best known and the variant beside it. */
const MAIN_TITLES = 2;

/** The best supported written link from the chain to a candidate; undefined when there is none. */
function chainLink(
  question: AnalysedQuestion,
  chain: ChainProfile,
  candidate: PassageProfile,
): { support: number; fromLast: boolean } | undefined {
  let found: { support: number; fromLast: boolean } | undefined;
  for (const passage of chain.passages) {
    if (passage.passage.path === candidate.passage.path) continue;
    const sentence = linkedFrom(passage, candidate);
    if (sentence === undefined) continue;
    // "What stands in such a cabinet is listed under …": what a link is about is often said just before it.
    const around = [passage.sentences[sentence - 1], passage.sentences[sentence]].flatMap((each) =>
      each === undefined ? [] : [each.stems],
    );
    const support = coverageOf(question, (key) => around.some((stems) => stems.has(key)));
    if (found === undefined || support > found.support)
      found = { support, fromLast: passage === chain.last || found?.fromLast === true };
  }
  return found;
}

/** Rarity among the candidates of each file's passages: what a link to a file narrows the choice to. */
function fileRarity(candidates: readonly PassageProfile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { passage } of candidates) counts.set(passage.path, (counts.get(passage.path) ?? 0) + 1);
  return new Map([...counts].map(([path, count]) => [path, Math.log((1 + candidates.length) / (1 + count))]));
}

function bridgeFeatures(
  question: AnalysedQuestion,
  chain: ChainProfile,
  candidate: PassageProfile,
  rarity: ReadonlyMap<string, number>,
  linkRarity: ReadonlyMap<string, number>,
): FeatureRow {
  let titleBridge = 0;
  let titleSupport = 0;
  let shared = 0;
  let rarest = 0;
  let best = 0;
  let fromLast = 0;
  let support = 0;
  const opens = candidate.sentences.map((sentence) => openCoverage(question, chain, sentence.stems));
  const mostOpen = Math.max(0, ...opens);
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
    let open = inTitle ? Math.max(titleOpen, mostOpen) : titleOpen * 0.5;
    if (open < mostOpen)
      candidate.sentences.forEach((sentence, i) => {
        if (sentence.form.includes(` ${bridge.key} `)) open = Math.max(open, opens[i] ?? 0);
      });
    best = Math.max(best, weight * (0.1 + bridge.support) * (0.1 + open));
  }
  const link = chainLink(question, chain, candidate);
  if (link !== undefined) {
    // What Wikipedia says by the target's title a note says by a link: one and the same kind of evidence.
    const weight = linkRarity.get(candidate.passage.path) ?? 0;
    const open = Math.max(titleOpen, mostOpen);
    if (titleBridge === 0) shared += weight;
    rarest = Math.max(rarest, weight);
    titleBridge = Math.max(titleBridge, candidate.titles[0]?.split(' ').length ?? 1);
    titleSupport = Math.max(titleSupport, link.support + 0.01);
    if (link.fromLast) fromLast = Math.max(fromLast, weight);
    support = Math.max(support, link.support * weight);
    best = Math.max(best, weight * (0.1 + link.support) * (0.1 + open));
  }
  const named = chain.passages.filter((passage) =>
    namesOneOf(candidate, passage, passage.titles.slice(0, MAIN_TITLES)),
  );
  return {
    bridgeTitle: titleBridge,
    bridgeTitleSupport: titleSupport,
    bridgeShared: Math.min(shared, 12),
    bridgeRarest: rarest,
    bridgeFromLast: fromLast,
    bridgeSupport: support,
    bridgeBest: best,
    namesChainTitle: named.length,
    namesLastTitle: Number(named.includes(chain.last)),
    namesNewTitle: named.filter(
      (passage) => !passage.titles.slice(0, MAIN_TITLES).some((title) => question.form.includes(` ${title} `)),
    ).length,
    titleNamedInChain: Number(
      link !== undefined ||
        candidate.titles.some(
          (title) => title.length > 3 && chain.passages.some((passage) => passage.form.includes(` ${title} `)),
        ),
    ),
    titlePartsInLast: titleSaidInLast(candidate, chain),
    sameTitle: Number(
      chain.passages.some((passage) =>
        candidate.titles.some((title) => passage.titles.slice(0, MAIN_TITLES).includes(title)),
      ),
    ),
  };
}

const openCoverage = (question: AnalysedQuestion, { residual }: ChainProfile, stems: ReadonlySet<string>): number =>
  coverageOf(question, (key) => stems.has(key), residual);

/** Share of the candidate's title words that one sentence of the last passage says and the question does not. */
function titleSaidInLast(candidate: PassageProfile, chain: ChainProfile): number {
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

const RANKED_BY_QUESTION = ['cosine', 'movedCosine', 'bm25', 'coverage', 'sentenceCoverage', 'titleCoverage'];
const RANKED_BY_CHAIN = [
  'residualCosine',
  'lastCosine',
  'gain',
  'gainSentence',
  'bridgeShared',
  'bridgeRarest',
  'bridgeSupport',
  'bridgeBest',
  'awayFromChain',
];

/** All of head 1's features of a hop's candidates. */
export function firstHopTable(question: AnalysedQuestion, candidates: readonly PassageProfile[]): FeatureTable {
  const table = new FeatureTable(candidates.length);
  candidates.forEach((candidate, i) => table.set(i, questionFeatures(question, candidate)));
  table.addStandings(RANKED_BY_QUESTION);
  addFileFeatures(table, question, candidates);
  table.setAll(questionConstants(question));
  return table;
}

/**
 * All of head 2's features of a hop's candidates: those of the question, and how each continues a chain.
 * @param residual Embedding of what the chain leaves open of the question.
 */
export function nextHopTable(
  question: AnalysedQuestion,
  chain: ChainProfile,
  residual: Float32Array | undefined,
  candidates: readonly PassageProfile[],
): FeatureTable {
  const table = firstHopTable(question, candidates);
  const rarity = nameRarity(candidates, chain);
  const linkRarity = fileRarity(candidates);
  candidates.forEach((candidate, i) => {
    table.set(i, residualFeatures(question, chain, candidate));
    table.set(i, vectorFeatures(question, chain, residual, candidate));
    table.set(i, bridgeFeatures(question, chain, candidate, rarity, linkRarity));
    table.set(i, linkFeatures(chain, candidate));
  });
  table.setAll({
    'chain.hops': chain.passages.length,
    'chain.covered': chain.coveredIdf / Math.max(1e-9, question.totalIdf),
    'chain.openNames': chain.openNames.length,
    'chain.bridges': chain.bridges.size,
  });
  table.addStandings(RANKED_BY_CHAIN);
  return table;
}
