import type { Reading } from '../answer/reading.ts';
import type { StatementProblem } from '../domain/answer.ts';
import { type CitedPlace, placeOf } from '../evidence/citations.ts';
import type { EvidenceLedger } from '../evidence/ledger.ts';
import { overlaps } from '../evidence/stretch.ts';
import { Haystack, type Term, termsOf } from './terms.ts';

/** A piece of a reading after the check. */
export interface CheckedStatement {
  /** As the model wrote it, without its marks. */
  text: string;
  places: CitedPlace[];
  /** Its marks as the model wrote them. */
  written: string[];
  support: 'quote' | 'supported' | 'unsupported';
  why?: StatementProblem;
}

/** Words of a statement that counts as a quotation when they all stand in a file. */
const LEAST_QUOTED = 6;

/**
 * Checks each statement by code alone: what it cites exists, and its names, numbers and quotations stand in what it
 * cites, in the title or path of that, in the question, or in what an earlier statement has shown. The whole stretch
 * counts, and not only the lines that are named. The check marks: nothing is changed or left out by it.
 * @param fromMemory Nothing was looked up: nothing can be cited.
 */
export function checkReading(
  reading: Pick<Reading, 'statements'>,
  ledger: EvidenceLedger,
  question: string,
  fromMemory = false,
): CheckedStatement[] {
  const places = reading.statements.map(({ marks }) => marks.flatMap((mark) => placeOf(mark, ledger) ?? []));
  const everything = new Haystack([question, ...textsOf(places.flat(), ledger)]);
  const established: string[] = [];
  return reading.statements.map(({ text, marks }, i) => {
    const own = places[i] ?? [];
    const statement = { text, places: own, written: marks.map(({ written }) => `[${written}]`) };
    const terms = termsOf(text);
    const unsupported = (code: StatementProblem['code'], found: readonly Term[] = []): CheckedStatement => ({
      ...statement,
      support: 'unsupported',
      why: { code, terms: [...new Set(found.map((term) => term.text))] },
    });
    if (fromMemory) return unsupported('not-cited');
    if (marks.length > 0 && own.length === 0)
      return {
        ...unsupported('no-such-place'),
        why: { code: 'no-such-place', terms: marks.map(({ written }) => written) },
      };
    if (marks.length === 0) {
      const open = terms.filter((term) => !everything.holds(term));
      return open.length > 0 ? unsupported('not-cited', open) : { ...statement, support: 'supported' };
    }
    const cited = new Haystack([question, ...textsOf(own, ledger), ...established]);
    const missing = terms.filter((term) => !cited.holds(term));
    if (missing.length > 0) return unsupported('not-there', missing);
    established.push(text);
    const isQuote = text.trim().split(/\s+/u).length >= LEAST_QUOTED && new Haystack(textsOf(own, ledger)).has(text);
    return { ...statement, support: isQuote ? 'quote' : 'supported' };
  });
}

/** All that a citation shows: its lines, the stretches and passages around them, their titles and path. */
function textsOf(places: readonly CitedPlace[], ledger: EvidenceLedger): string[] {
  return places.flatMap((place) => {
    const blocks = ledger.blocks.filter((block) => overlaps(block, place));
    const passages = ledger.passagesIn(place);
    return [
      place.path,
      ...blocks.map(({ title }) => title),
      ...blocks.map((block) =>
        ledger
          .lines(block)
          .map(({ text }) => text)
          .join('\n'),
      ),
      ...passages.flatMap(({ title, text }) => [title, text]),
    ];
  });
}

/** What is wrong with a statement, in English. */
export function problemInWords({ code, terms }: StatementProblem): string {
  const listed = terms.map((term) => `“${term}”`).join(', ');
  switch (code) {
    case 'not-cited':
      return terms.length === 0 ? 'No file is cited for it.' : `No line is cited for it that has ${listed}.`;
    case 'no-such-place':
      return `It cites ${listed}, which was not shown.`;
    case 'not-there':
      return `The lines that it cites do not have ${listed}.`;
  }
}
