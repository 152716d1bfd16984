import type { EncoderInput, LaidOut, TokenPlace } from './input-layout.ts';

/** Order of the network's `passage_logits`, [9] for each input (lab/training, `model.py`). */
const PASSAGE_LABELS = ['extends', 'complete', 'entail', 'span', 'yes', 'no', 'list', 'comparison', 'none'] as const;
const FIRST_TYPE = 3;
/** Order of the last axis of `token_logits`, [tokens × 3] for each input. */
const START = 0;
const END = 1;
const SUPPORT = 2;
const TOKEN_LABELS = 3;

/** Tokens of an answer: longer ones are sentences, which are quoted. */
const LONGEST_SPAN = 32;
/** Starts and ends that are tried with each other. */
const TRIED = 24;

type AnswerType = 'span' | 'yes' | 'no' | 'list' | 'comparison' | 'none';

/** What the network gives for one input. */
export interface EncoderOutput {
  /** [9] */
  passageLogits: Float32Array;
  /** [tokens × 3], row by row. */
  tokenLogits: Float32Array;
}

/** A place that may be the answer. */
interface ReadSpan {
  /** Counts the chain's passages and then the candidate. */
  part: number;
  /** True: it stands in the header. */
  inHeader: boolean;
  /** Offsets into the header or the text. */
  start: number;
  end: number;
  /** Start and end logit together, less those of "no answer here": above 0 it is likelier than that there is none. */
  score: number;
}

/** One input, read. Logits: 0 means as likely as not. */
export interface EncoderReading {
  /**
   * The candidate leads on from question and chain towards the answer (Beam Retrieval's heads, arXiv 2308.08973,
   * section 3.2).
   */
  extends: number;
  /** Chain and candidate together are enough to answer. */
  complete: number;
  /** The statement in the question's place is supported. */
  entail: number;
  /** Probabilities of the kinds of answer; they sum to 1. */
  types: Record<AnswerType, number>;
  /** Best first, none overlapping another of a better score; never empty unless the input holds no text. */
  spans: ReadSpan[];
  /**
   * Mean logit of support over the tokens of a stretch of a part's text; undefined where the input holds none of it.
   */
  support(part: number, start: number, end: number): number | undefined;
}

/**
 * Port: the network that reads question, chain and candidate together (section 3 of the paper). Rejects with AbortError
 * on abort.
 */
export interface JointEncoder {
  read(input: EncoderInput, signal?: AbortSignal): Promise<EncoderReading>;
  close(): Promise<void>;
}

/** Makes sense of the network's numbers. */
export function interpretOutput({ places }: LaidOut, { passageLogits, tokenLogits }: EncoderOutput): EncoderReading {
  const logit = (label: (typeof PASSAGE_LABELS)[number]): number => passageLogits[PASSAGE_LABELS.indexOf(label)] ?? 0;
  return {
    extends: logit('extends'),
    complete: logit('complete'),
    entail: logit('entail'),
    types: typeProbabilities(passageLogits),
    spans: bestSpans(places, tokenLogits),
    support: (part, start, end) => {
      let sum = 0;
      let count = 0;
      places.forEach((place, token) => {
        if (!place || place.inHeader || place.part !== part || place.start < start || place.end > end) return;
        sum += tokenLogits[token * TOKEN_LABELS + SUPPORT] ?? 0;
        count++;
      });
      return count === 0 ? undefined : sum / count;
    },
  };
}

function typeProbabilities(logits: Float32Array): Record<AnswerType, number> {
  const types = [...logits.subarray(FIRST_TYPE, PASSAGE_LABELS.length)];
  const highest = Math.max(...types);
  const weights = types.map((value) => Math.exp(value - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const [span = 0, yes = 0, no = 0, list = 0, comparison = 0, none = 0] = weights.map((weight) => weight / total);
  return { span, yes, no, list, comparison, none };
}

/** Pairs of a likely start and a likely end within one part; the first token of the input stands for "no answer". */
function bestSpans(places: readonly (TokenPlace | undefined)[], logits: Float32Array): ReadSpan[] {
  const at = (token: number, label: number): number => logits[token * TOKEN_LABELS + label] ?? -Infinity;
  const nothing = at(0, START) + at(0, END);
  const inText = places.flatMap((place, token) => (place ? [{ place, token }] : []));
  const likeliest = (label: number): typeof inText =>
    [...inText].sort((a, b) => at(b.token, label) - at(a.token, label)).slice(0, TRIED);
  const ends = likeliest(END);
  const spans = likeliest(START).flatMap((first) =>
    ends
      .filter(
        (last) =>
          last.place.part === first.place.part &&
          last.place.inHeader === first.place.inHeader &&
          last.token >= first.token &&
          last.token - first.token < LONGEST_SPAN,
      )
      .map((last): ReadSpan => ({
        part: first.place.part,
        inHeader: first.place.inHeader,
        start: first.place.start,
        end: last.place.end,
        score: at(first.token, START) + at(last.token, END) - nothing,
      })),
  );
  spans.sort((a, b) => b.score - a.score);
  const kept: ReadSpan[] = [];
  for (const span of spans) {
    const overlaps = kept.some(
      (other) =>
        other.part === span.part &&
        other.inHeader === span.inHeader &&
        other.start < span.end &&
        span.start < other.end,
    );
    if (!overlaps) kept.push(span);
  }
  return kept;
}
