import { z } from 'zod';
import { type Decomposition, DIMENSIONS, modelJudge } from '../judge/model-judge.ts';
import { judgeDecompositions, judgesAgreement, reportJudged } from '../judge/judge-decompositions.ts';
import { requireRecords, type EvaluationRecord } from '../evaluation/records.ts';
import { bar, modelAt, namedEndpoint, type Output, ProgressLine, UsageError } from '#cli/lab';

export interface JudgeOptions {
  baseUrl?: string;
  model?: string;
  /** A second judge. */
  second?: string;
  seed: number;
  json?: boolean;
}

/**
 * `hoptrail eval judge A B`: which of two runs splits the same questions better (RISE's four dimensions), by a language
 * model.
 */
export async function judgeCommand(
  first: string,
  second: string,
  options: JudgeOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const [a, b] = [decompositionsOf(requireRecords(first)), decompositionsOf(requireRecords(second))];
  const { baseUrl, model: name } = namedEndpoint(options);
  if (!baseUrl || !name)
    throw new UsageError('A judge is a language model, and none is named.', {
      advice: 'Name one: --base-url URL --model NAME.',
    });
  const progress = new ProgressLine();
  const judge = (model: string): ReturnType<typeof judgeDecompositions> => {
    return judgeDecompositions(a, b, modelJudge(modelAt(baseUrl, model)), signal, (done, total) =>
      progress.update(`${model} judges ${bar(done, total)} ${done}/${total}`),
    );
  };
  try {
    const judged = await judge(name);
    if (judged.length === 0)
      throw new UsageError(`${first} and ${second} have no split question in common.`, {
        advice:
          'Name two files that `hoptrail eval answer --out` wrote for the same data, with sub-questions in ' +
          'them (--operator sub-step).',
      });
    const report = reportJudged(judged, options.seed);
    const other = options.second === undefined ? undefined : await judge(options.second);
    const kappa =
      other &&
      judgesAgreement(
        judged.flatMap(({ verdict }) => verdict?.preferences ?? []),
        other.flatMap(({ verdict }) => verdict?.preferences ?? []),
      );
    progress.clear();
    if (options.json) return output.json({ ...report, ...(kappa !== undefined && { kappa }) });
    output.out(`${report.pairs} questions, ${report.equal} split alike, ${report.tokens} tokens`);
    for (const dimension of DIMENSIONS) {
      const {
        first: wins,
        second: losses,
        ties,
        preference,
        ci95: [low, high],
        agreement,
      } = report.dimensions[dimension];
      output.out(
        `  ${dimension.padEnd(16)} ${wins} first, ${losses} second, ${ties} ties; second preferred ` +
          `${preference.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]; both orders agree in ` +
          `${agreement.toFixed(2)}`,
      );
    }
    if (kappa !== undefined) output.out(`  the two judges agree: κ ${kappa.toFixed(2)}`);
  } finally {
    progress.clear();
  }
}

const detailShape = z.object({ question: z.string(), subQuestions: z.array(z.string()) });

/** Records that hold more than the question itself. */
function decompositionsOf(records: readonly EvaluationRecord[]): Decomposition[] {
  return records.flatMap((record) => {
    const detail = detailShape.safeParse(record.detail).data;
    const steps =
      detail?.subQuestions.filter((step) => step.trim().toLowerCase() !== detail.question.trim().toLowerCase()) ?? [];
    return detail && steps.length > 0 ? [{ question: detail.question, steps }] : [];
  });
}
