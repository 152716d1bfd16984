import { sigmoid } from '#base';
import type { PassageProfile } from '../features/passage-profile.ts';
import { candidateOf, headerOf } from '../encoder/input-layout.ts';
import type { EncoderReading, JointEncoder } from '../encoder/joint-encoder.ts';
import type { EncodedUnit, ReadSentence } from './read-units.ts';

/** Most passages whose units the joint encoder reads for one question: half a second of two cores. */
export const MOST_ENCODED = 8;
/** A margin below which there is no span. */
const NO_SPAN = -20;

/**
 * What the joint encoder says of units, in their order; undefined for those that it did not read. First it reads the
 * passages of the best ones, then the best units of these alone.
 * @param question As it was asked.
 * @param worth Of each unit: the passages of the best ones are read.
 */
export async function encodeUnits(
  question: string,
  units: readonly ReadSentence[],
  worth: readonly number[],
  encoder: JointEncoder,
  signal?: AbortSignal,
): Promise<(EncodedUnit | undefined)[]> {
  const encoded = await encodePassages(question, units, worth, MOST_ENCODED, encoder, signal);
  for (const i of worthReadingAlone(encoded, worth)) {
    const [unit, known] = [units[i], encoded[i]];
    if (unit && known) known.alone = await readAlone(question, unit, encoder, signal);
  }
  return encoded;
}

/**
 * What it says of the units of the passages with the best ones, each passage read alone with the question: behind the
 * trail's others it told less (models/joint-encoder/README.md).
 * @param most So many passages are read at most.
 */
export async function encodePassages(
  question: string,
  units: readonly ReadSentence[],
  worth: readonly number[],
  most: number,
  encoder: JointEncoder,
  signal?: AbortSignal,
): Promise<(EncodedUnit | undefined)[]> {
  const readings = new Map<PassageProfile, EncoderReading>();
  for (const profile of passagesOfBest(units, worth).slice(0, most)) {
    readings.set(profile, await encoder.read({ question, candidate: candidateOf(profile.passage) }, signal));
  }
  return units.map(({ profile, sentence }) => {
    const reading = readings.get(profile);
    return reading && encodedUnit(sentence, reading);
  });
}

/** Passages by their best unit. */
export function passagesOfBest(units: readonly ReadSentence[], worth: readonly number[]): PassageProfile[] {
  const best = [...units.keys()].sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b);
  return [...new Set(best.flatMap((i) => units[i]?.profile ?? []))];
}

/** Units that are read alone: half of them the best by features, half those that their passages' reading supports. */
const MOST_ALONE = 16;

/** Places of the units that are read alone. */
export function worthReadingAlone(encoded: readonly (EncodedUnit | undefined)[], worth: readonly number[]): number[] {
  const read = [...encoded.keys()].filter((i) => encoded[i]);
  const best = (value: (i: number) => number): number[] =>
    [...read].sort((a, b) => value(b) - value(a) || a - b).slice(0, MOST_ALONE / 2);
  return [...new Set([...best((i) => worth[i] ?? 0), ...best((i) => encoded[i]?.supported ?? -Infinity)])];
}

/** What the joint encoder says of a unit read alone. */
export async function readAlone(
  question: string,
  { profile, text, context }: ReadSentence,
  encoder: JointEncoder,
  signal?: AbortSignal,
): Promise<NonNullable<EncodedUnit['alone']>> {
  const said = context ? `${context.text}\n${text}` : text;
  const reading = await encoder.read(
    { question, candidate: { header: headerOf(profile.passage), text: said } },
    signal,
  );
  const [span] = reading.spans.filter((each) => !each.inHeader);
  return {
    enough: reading.complete,
    leadsOn: reading.extends,
    span: Math.max(span?.score ?? NO_SPAN, NO_SPAN),
  };
}

/** Undefined where the unit's end of the passage was cut off. */
function encodedUnit(
  { start, end }: Pick<ReadSentence['sentence'], 'start' | 'end'>,
  reading: EncoderReading,
): EncodedUnit | undefined {
  const support = reading.support(start, end);
  if (support === undefined) return undefined;
  const span = reading.spans.find((each) => !each.inHeader && each.start < end && start < each.end);
  return {
    span: Math.max(span?.score ?? NO_SPAN, NO_SPAN),
    supported: Math.log(sigmoid(support)) + Math.log(sigmoid(reading.complete)),
    support,
    enough: reading.complete,
    leadsOn: reading.extends,
  };
}
