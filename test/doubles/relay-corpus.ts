import type { Passage } from '../../src/search/domain/passage.ts';
import { notePassage, ScriptedRetriever, type ScriptedRetrieverOptions } from './scripted-retriever.ts';

export const outage = notePassage(
  'outage',
  'Incidents > March outage',
  'The relay at Kestrel Hut failed on 4 March 2023.\nThe keeper of the hut repaired it.',
);
export const kestrel = notePassage(
  'kestrel',
  'Huts > Kestrel Hut',
  'The keeper of Kestrel Hut is Mara Lindqvist. The hut has 12 beds.',
);
export const mara = notePassage(
  'mara',
  'People > Mara Lindqvist',
  'Mara Lindqvist was born in Narvik. She joined in 2019.',
);
export const heron = notePassage(
  'heron',
  'Huts > Heron Hut',
  'The keeper of Heron Hut is Jonas Berg. The hut has 8 beds.',
);
export const rope = notePassage('rope', 'Suppliers > Rope', 'Rope is bought in Tallinn.');

/** A question over three notes. */
export const BORN = 'In which town was the keeper born who repaired the relay that failed in March?';
/** A comparison of two notes. */
export const BEDS = 'Does Kestrel Hut have more beds than Heron Hut?';

/** A small workspace of notes whose chains are known. */
export function relayRetriever(
  options: ScriptedRetrieverOptions & { more?: readonly Passage[] } = {},
): ScriptedRetriever {
  const { more = [], scripts, ...rest } = options;
  return new ScriptedRetriever([outage, kestrel, mara, heron, rope, ...more], {
    ...rest,
    scripts: {
      'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading: { answerability: 0.9 } },
      'which hut had the relay': { chain: ['outage'], reading: { answerability: 0.9 } },
      'who is the keeper of kestrel hut': { chain: ['kestrel'], reading: { answerability: 0.9 } },
      'where was mara lindqvist born': { chain: ['mara'], reading: { answerability: 0.9 } },
      'more beds': { chain: ['kestrel', 'heron'], reading: { answerability: 0.9 } },
      'how many beds does kestrel': { chain: ['kestrel'], reading: { answerability: 0.9 } },
      'how many beds does heron': { chain: ['heron'], reading: { answerability: 0.9 } },
      ...scripts,
    },
  });
}
