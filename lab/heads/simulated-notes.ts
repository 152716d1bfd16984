import path from 'node:path';
import {
  type Embedder,
  locatePhrase,
  nameForm,
  type Passage,
  type PassageLink,
  phraseForm,
  splitSentences,
} from '#search/lab';
import { addTo, hashOf, seededRandom } from '#base';
import { collectPassages, loadQuestions, toIndexPassages, type DatasetPassage } from '../evaluation/dataset.ts';
import { embeddedIndex } from './memory-passage-index.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';

const FOLDERS = ['people', 'places', 'works', 'projects'] as const;
const WORDS = ['draft', 'reviewed', 'archive', 'reading', 'history', 'team', 'open', 'reference'] as const;
const LINE = 108;

interface Note {
  source: DatasetPassage;
  /** Workspace path. */
  path: string;
}

/**
 * A set of questions about Wikipedia whose passages are rewritten as people keep notes: metadata on top, a heading,
 * wrapped lines, remarks that belong elsewhere, and links in place of most of the titles that a passage mentions. Every
 * other question is asked; gold passages stay gold. Vectors are those of the passages as they were: what is simulated
 * is how notes refer to one another, not how an encoder reads them.
 */
export async function simulateNotes(
  dataDir: string,
  name: string,
  embedder: Embedder,
  seed: number,
): Promise<QuestionSet> {
  const questions = loadQuestions(path.join(dataDir, `${name}.jsonl`));
  const random = seededRandom(seed);
  const notes = new Map(
    collectPassages(questions).map((source): [string, Note] => [source.id, { source, path: notePath(source, random) }]),
  );
  const related = new Map<string, Note[]>();
  for (const { passages, supporting } of questions) {
    // Gold passages first: of two passages with one title, a link means the one that the question is about.
    const pool = [...passages].sort((a, b) => Number(supporting.includes(b.id)) - Number(supporting.includes(a.id)));
    for (const { id } of passages)
      for (const other of pool) {
        const note = notes.get(other.id);
        if (note && other.id !== id) addTo(related, id, note);
      }
  }
  const all = [...notes.values()];
  const passages = all.map((note) => writeNote(note, related.get(note.source.id) ?? [], all, random));
  const asTheyWere = toIndexPassages(all.map(({ source }) => source));
  const set = `${name}-notes`;
  return {
    name: set,
    index: await embeddedIndex(passages, embedder, asTheyWere),
    questions: questions
      .filter((_, i) => i % 2 === 1)
      .map((question): TrainingQuestion => ({
        id: `${question.id}/notes`,
        partOf: question.id,
        set,
        question: question.question,
        answer: question.answer,
        gold: question.supporting,
      })),
  };
}

const pick = <T>(values: readonly T[], random: () => number): T | undefined =>
  values[Math.floor(random() * values.length)];

function notePath({ id, title }: DatasetPassage, random: () => number): string {
  const slug = phraseForm(title).replaceAll(' ', '-') || id;
  const kind = random();
  const number = String(Math.floor(random() * 90) + 1);
  const prefix =
    kind < 0.15
      ? `${number.padStart(4, '0')}-`
      : kind < 0.3
        ? `2024-${String((Number(number) % 12) + 1).padStart(2, '0')}-${String((Number(number) % 28) + 1).padStart(2, '0')}-`
        : '';
  return `${pick(FOLDERS, random) ?? 'notes'}/${prefix}${slug}.md`;
}

function writeNote(note: Note, related: readonly Note[], all: readonly Note[], random: () => number): Passage {
  const { source } = note;
  const links: { written: string; path: string }[] = [];
  const other = (): Note => pick(all, random) ?? note;
  const link = (to: Note): string => {
    links.push({ written: to.path.replace(/\.md$/, ''), path: to.path });
    return `[[${to.path.replace(/\.md$/, '')}]]`;
  };
  const top =
    random() < 0.5
      ? [
          '---',
          `updated: 2024-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 9)}`,
          `owner: ${other().source.title}`,
          `tags: [${pick(WORDS, random)}, ${pick(WORDS, random)}]`,
          '---',
          '',
        ]
      : [];
  const lines = [
    ...top,
    ...(random() < 0.85 ? [`# ${source.title}`, ''] : []),
    ...wrap(linkTitles(source.text, related, links, random)),
  ];
  if (random() < 0.35) lines.push('', '## Remarks', '', ...remarks(other(), random).map((sentence) => `- ${sentence}`));
  if (random() < 0.35) lines.push('', `See also ${link(other())}${random() < 0.5 ? ` and ${link(other())}` : ''}.`);
  const text = lines.join('\n');
  return {
    id: source.id,
    uri: `dataset:/${encodeURIComponent(note.path)}`,
    path: note.path,
    startLine: 1,
    endLine: lines.length,
    kind: 'section',
    language: 'markdown',
    title: source.title,
    text,
    links: links.map((each) => placed(each, lines)),
    contentHash: hashOf(text, 32),
  };
}

function placed({ written, path: to }: { written: string; path: string }, lines: readonly string[]): PassageLink {
  const markdown = lines.findIndex((line) => line.includes(`](../${to})`));
  const row = markdown >= 0 ? markdown : lines.findIndex((line) => line.includes(written));
  return {
    kind: markdown >= 0 ? 'markdown' : 'wikilink',
    target: markdown >= 0 ? `../${to}` : written,
    line: Math.max(0, row) + 1,
    path: to,
  };
}

/** Most first mentions of related passages become links: bare, with the words on them, or in Markdown's way. */
function linkTitles(
  text: string,
  related: readonly Note[],
  links: { written: string; path: string }[],
  random: () => number,
): string {
  const taken = new Set<string>();
  let linked = text;
  for (const to of related) {
    const form = nameForm(to.source.title);
    if (form.length < 4 || taken.has(form) || random() < 0.25) continue;
    const at = locatePhrase(linked, form);
    if (at === undefined || insideLink(linked, at.start)) continue;
    taken.add(form);
    const said = linked.slice(at.start, at.end);
    const target = to.path.replace(/\.md$/, '');
    const how = random();
    const written = how < 0.35 ? `[[${target}]]` : how < 0.7 ? `[[${target}|${said}]]` : `[${said}](../${to.path})`;
    links.push({ written: target, path: to.path });
    linked = `${linked.slice(0, at.start)}${written}${linked.slice(at.end)}`;
  }
  return linked;
}

/** Whether a place lies within a link that was set before. */
function insideLink(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  return before.lastIndexOf('[') > Math.max(before.lastIndexOf(']]'), before.lastIndexOf('.md)'));
}

function remarks({ source }: Note, random: () => number): string[] {
  return splitSentences(source.text)
    .slice(0, 1 + Math.floor(random() * 2))
    .map(({ start, end }) => source.text.slice(start, end));
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length >= LINE) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
