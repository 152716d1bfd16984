import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { jsonLines } from '#base';
import { candidateOf, PassageProfiles, readReaderWeights } from '#search/lab';
import { modelsDir } from '../places.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { casesOf, FOLDER_OPTIONS, learntSets, openFolderSet } from './folder-sets.ts';
import { type FolderQuestion, occurrencesOf, showsPart, type UnitCase } from './unit-cases.ts';

/**
 * `node --import tsx lab/heads/write-asked.ts`: what the product finds for the questions about folders, as examples for
 * the joint encoder (`lab/training`), one file a folder in `CACHE/asked`. A question is a group: each passage that is
 * read for it alone with the question, as the product reads them, with the units that are its evidence. Names of
 * folders: these only.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...FOLDER_OPTIONS,
    to: {
      type: 'string',
      default: path.join(
        process.env.HOPTRAIL_TRAINING_CACHE ?? path.join(homedir(), '.cache', 'hoptrail-training'),
        'asked',
      ),
    },
  },
});

/** Answers of so few characters stand in many places by chance: a passage that says one may still be wrong. */
const SHORT_ANSWER = 3;
/** The answer's place in the passage cannot be told by its words. */
const UNSAID: ReadonlySet<string> = new Set(['how', 'why', 'yesno', 'comparison', 'list']);

/** One input with its labels, as `lab/training/hoptrail_training/examples.py` reads it; null: not known. */
interface Example {
  question: string;
  chain: [];
  candidate: { header: string; text: string };
  extends: boolean | null;
  complete: boolean | null;
  entail: null;
  type: string | null;
  spans: ReturnType<typeof occurrencesOf> | null;
  units: { part: 0; start: number; end: number; supports: boolean }[];
}

/** What is read of each passage; a passage that says the answer and is not known as evidence teaches nothing. */
function examplesOf(each: UnitCase, asked?: FolderQuestion): Example[] {
  const answered = asked?.type === 'null' ? undefined : asked;
  const isUnsaid = answered !== undefined && UNSAID.has(answered.type);
  const labelled = each.units.map((unit, i) => ({ unit, isEvidence: each.labels[i] === 1 }));
  return each.passages.flatMap((profile): Example[] => {
    const candidate = candidateOf(profile.passage);
    const { text } = candidate;
    const own = labelled.filter(({ unit }) => unit.profile === profile);
    const evidence = own.filter(({ isEvidence }) => isEvidence).map(({ unit }) => unit);
    const says = (said: string): boolean => answered !== undefined && showsPart(said, answered);
    if (evidence.length === 0 && (answered?.answer ?? '').length >= SHORT_ANSWER && says(text)) return [];
    const isLast = answered?.evidence.length === 1 || evidence.some((unit) => says(unit.text));
    const spans = evidence.flatMap(({ sentence }) =>
      answered && !isUnsaid ? occurrencesOf(text, sentence, answered) : [],
    );
    return [
      {
        question: each.profile.text,
        chain: [],
        candidate,
        extends: evidence.length > 0,
        complete: evidence.length === 0 ? false : isLast ? true : isUnsaid ? null : false,
        entail: null,
        type: typeOf(answered, evidence.length > 0 && isLast),
        spans: evidence.length === 0 ? [] : spans.length > 0 ? spans : null,
        units: own.map(({ unit: { sentence }, isEvidence }) => ({
          part: 0,
          start: sentence.start,
          end: sentence.end,
          supports: isEvidence,
        })),
      },
    ];
  });
}

function typeOf(asked: FolderQuestion | undefined, answers: boolean): string | null {
  if (!answers || !asked) return 'none';
  switch (asked.type) {
    case 'yesno':
      return /^(?:yes|no)$/.test(asked.answer ?? '') ? asked.answer : null;
    case 'list':
    case 'comparison':
      return asked.type;
    case 'lookup':
    case 'bridge':
      return 'span';
    default:
      return null;
  }
}

async function main(): Promise<void> {
  const embedder = await openCachingEmbedder(values.cache);
  const ports = {
    embedder,
    profiles: new PassageProfiles(20_000),
    reader: readReaderWeights(path.join(modelsDir, 'reader.json')),
    indexes: values.indexes,
    cache: values.cache,
  };
  const sets = learntSets(values.data, Number(values.every));
  mkdirSync(values.to, { recursive: true });
  for (const set of sets) {
    if (positionals.length > 0 && !positionals.includes(set.name)) continue;
    const own = await openFolderSet(set.name, ports);
    if (!own) continue;
    const askedOf = new Map(set.questions.map((asked) => [asked.id, asked]));
    const cases = await casesOf(set, sets, Number(values.elsewhere), own);
    const groups = cases.map((each) => ({
      source: `asked.${set.kind}`,
      key: each.id,
      examples: examplesOf(each, askedOf.get(each.id)),
      listwise: true,
    }));
    const lines = jsonLines(groups.filter(({ examples }) => examples.length > 0));
    writeFileSync(path.join(values.to, `${set.name}.jsonl.gz`), gzipSync(lines));
    const right = groups.flatMap(({ examples }) => examples.filter(({ extends: leads }) => leads)).length;
    process.stderr.write(
      `${set.name}: ${groups.length} questions, ${groups.flatMap(({ examples }) => examples).length} inputs, ` +
        `${right} with evidence\n`,
    );
  }
  await embedder.close();
}

await main();
