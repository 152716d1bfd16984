import type { FeatureTable } from './feature-table.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { QuestionProfile } from './question-profile.ts';
import { isStopWord, readWords, stem } from '../text/words.ts';

/**
 * What a candidate's file adds where passages are parts of files, as in code: how well its other passages match, what its path says. Reads the
 * columns that {@link firstHopTable} has filled before.
 */
export function addFileFeatures(table: FeatureTable, question: QuestionProfile, candidates: readonly PassageProfile[]): void {
  const members = new Map<string, number[]>();
  candidates.forEach(({ passage }, i) => members.set(passage.path, [...(members.get(passage.path) ?? []), i]));
  const cosines = table.column('cosine');
  const bm25s = table.column('bm25');
  const asksForTests = Number(/\btests?\b|\btest_|\bTest[A-Z]/.test(question.text));
  for (const [path, rows] of members) {
    const falling = (column: Float64Array): number[] => rows.map((row) => column[row] ?? 0).sort((a, b) => b - a);
    const byCosine = falling(cosines);
    const isTest = Number(/(?:^|[/_.])tests?(?:[/_.]|$)/i.test(path));
    const words = new Set(readWords(path.replace(/\.[^.]+$/, '')).filter((word) => !isStopWord(word.text)).map((word) => stem(word.text)));
    const stemOfFile = (path.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '').toLowerCase();
    const features = {
      fileShare: Math.log(1 + rows.length),
      fileCosine: byCosine[0] ?? 0,
      fileCosineThird: byCosine[Math.min(2, byCosine.length - 1)] ?? 0,
      fileBm25: falling(bm25s)[0] ?? 0,
      pathWords: [...words].filter((word) => question.idf.has(word)).length,
      fileNamed: Number(question.form.includes(` ${stemOfFile} `)),
      isTest,
      testAsked: isTest * asksForTests,
      testUnasked: isTest * (1 - asksForTests),
      pathDepth: path.split('/').length,
    };
    for (const row of rows) table.set(row, { ...features, isCode: Number(candidates[row]?.isCode), best: Number(cosines[row] === byCosine[0]) });
  }
  table.addStandings(['fileCosine', 'fileBm25', 'fileShare']);
}
