/**
 * The ledger of DESIGN.md: budgets of lines and characters that only go down. `node --import tsx
 * scripts/testing/ledger.ts` prints the table with what each room has now.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../vscode-host/locations.ts';

/** A row of the ledger. Documents are counted in characters, everything else in lines. */
export interface LedgerRow {
  room: string;
  /** Folders and files, from the top; a folder ends with a slash, `*.ts` stands for the files directly below it. */
  places: string[];
  /** What the room may have now. */
  budget: number;
  /** What it should have in the end. */
  goal: number;
}

const ROW = /^\| (?<room>[^|`]+) \| (?<places>(?:`[^`|]+`(?:, )?)+) \| (?<budget>[\d,]+) \| (?<goal>[\d,]+) \|/gmu;

const numberIn = (cell: string): number => Number(cell.replaceAll(',', ''));

export const readLedger = (design: string): LedgerRow[] =>
  [...design.matchAll(ROW)].map(({ groups: { room = '', places = '', budget = '', goal = '' } = {} }) => ({
    room: room.trim(),
    places: [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
    budget: numberIn(budget),
    goal: numberIn(goal),
  }));

const LEFT_OUT =
  /(?:^|\/)(?:node_modules|dist|out|\.git|\.vscode-test)(?:\/|$)|^(?:examples|models|stubs|test\/fixtures)\//u;

/** The repository's files from the top, but for fixtures, examples, models and whatever is built. */
export function repositoryFiles(folder = ''): string[] {
  return readdirSync(path.join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (LEFT_OUT.test(entry.isDirectory() ? `${name}/` : name)) return [];
    return entry.isDirectory() ? repositoryFiles(name) : [name];
  });
}

/** Whether a file belongs to a place of the ledger. */
export function isIn(file: string, place: string): boolean {
  if (place.endsWith('/')) return file.startsWith(place);
  if (place.endsWith('/*.ts'))
    return path.posix.dirname(file) === place.slice(0, -'/*.ts'.length) && file.endsWith('.ts');
  return place.startsWith('*.') ? file.endsWith(place.slice(1)) : file === place;
}

const CODE = /\.(?:ts|mts|mjs|py|scm)$/u;

/** The row that a file is counted in: that of the most specific place, for a document that of documents. */
export function rowOf(rows: readonly LedgerRow[], file: string): LedgerRow | undefined {
  const isDocument = file.endsWith('.md');
  const fits = rows.flatMap((row) =>
    row.places
      .filter((place) => isIn(file, place) && place.startsWith('*.') === isDocument)
      .map((place) => ({ row, length: place.length })),
  );
  return fits.sort((a, b) => b.length - a.length)[0]?.row;
}

/** Lines (documents: characters) of each row. */
export function measureLedger(rows: readonly LedgerRow[], files = repositoryFiles()): Map<LedgerRow, number> {
  const sizes = new Map(rows.map((row) => [row, 0]));
  for (const file of files) {
    const row = rowOf(rows, file);
    const isDocument = file.endsWith('.md');
    if (row === undefined || (!isDocument && !CODE.test(file))) continue;
    const text = readFileSync(path.join(repositoryRoot, file), 'utf8');
    sizes.set(row, (sizes.get(row) ?? 0) + (isDocument ? text.length : text.split('\n').length - 1));
  }
  return sizes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = readLedger(readFileSync(path.join(repositoryRoot, 'DESIGN.md'), 'utf8'));
  const number = (value: number): string => value.toLocaleString('en').padStart(9);
  for (const [{ room, budget, goal }, size] of measureLedger(rows))
    console.log(
      `${number(size)} of ${number(budget)} goal ${number(goal)}  ${size > budget ? 'OVER  ' : '      '}${room}`,
    );
}
