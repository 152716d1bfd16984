import type { Answer } from '#research';
import type { Translate } from '#search';
import { type Saying, wholeWords } from './sayings.ts';

/** What a list of places, or the way between two, says of itself in English: a summary, and what it may lack. */
const sayings: readonly Saying[] = [
  (t) => t('{0} uses {1}.'),
  (t) => t('{0} use {1}.'),
  (t) => t('No place was found that uses {0}.'),
  (t) => t('{0} calls {1}.'),
  (t) => t('{0} call {1}.'),
  (t) => t('No place was found that calls {0}.'),
  (t) => t('{0} imports {1}.'),
  (t) => t('{0} import {1}.'),
  (t) => t('No place was found that imports {0}.'),
  (t) => t('{0} implements or extends {1}.'),
  (t) => t('{0} implement or extend {1}.'),
  (t) => t('No place was found that implements or extends {0}.'),
  (t) => t('{0} overrides {1}.'),
  (t) => t('{0} override {1}.'),
  (t) => t('No place was found that overrides {0}.'),
  (t) => t('{0} names the type {1}.'),
  (t) => t('{0} name the type {1}.'),
  (t) => t('No place was found that names the type {0}.'),
  (t) => t('{0} reads {1}.'),
  (t) => t('{0} read {1}.'),
  (t) => t('No place was found that reads {0}.'),
  (t) => t('{0} sets {1}.'),
  (t) => t('{0} set {1}.'),
  (t) => t('No place was found that sets {0}.'),
  (t) => t('{0} throws {1}.'),
  (t) => t('{0} throw {1}.'),
  (t) => t('No place was found that throws {0}.'),
  (t) => t('{0} names {1}.'),
  (t) => t('{0} name {1}.'),
  (t) => t('No place was found that names {0}.'),
  (t) => t('{0} of the documentation names {1}.'),
  (t) => t('{0} of the documentation name {1}.'),
  (t) => t('No place was found that of the documentation names {0}.'),
  (t) => t('1 place in 1 file'),
  (t) => t('{0} places in 1 file'),
  (t) => t('{0} places in {1} files'),
  (t) => t('1 place in 1 test file'),
  (t) => t('{0} places in 1 test file'),
  (t) => t('{0} places in {1} test files'),
  (t) => t('No place in a test was found that uses {0}.'),
  (t) => t('{0} is defined in 1 place.'),
  (t) => t('{0} is defined in {1} places.'),
  (t) => t('No call from {0} leads to a definition in these files.'),
  (t) => t('1 call from {0} leads to definitions in these files.'),
  (t) => t('{0} calls from {1} lead to definitions in these files.'),
  (t) => t('{0} It stands in {1} function or class.'),
  (t) => t('{0} They stand in {1} function or class.'),
  (t) => t('{0} They stand in {1} functions or classes.'),
  (t) => t('No way from {0} to {1} was found, nor back, over {2} within {3} steps of the two.'),
  (t) => t('{0} definition'),
  (t) => t('{0} definitions'),
  (t) => t('No way from {0} to {1} was found, nor back; {2} leads to both.'),
  (t) => t('{0} reaches {1} in 1 step: {2}.'),
  (t) => t('{0} reaches {1} in {2} steps: {3}.'),
  (t) => t('{0} is connected to {1} in 1 step: {2}.'),
  (t) => t('{0} is connected to {1} in {2} steps: {3}.'),
  (t) => t('No calls lead from {0} to {1}. The other way around, {2}'),
  // What it may lack
  (t) => t('Calls of which nothing tells what is meant are not followed.'),
  (t) => t('The index is not complete yet: files that are still to be read are left out.'),
  (t) => t('1 further place uses a name like it of which nothing tells what is meant.'),
  (t) => t('{0} further places use a name like it of which nothing tells what is meant.'),
  (t) => t('1 further place names it without calling it: “Who uses {0}?” lists it.'),
  (t) => t('{0} further places name it without calling it: “Who uses {1}?” lists them.'),
  (t) => t('So many things are called {0} that places of which nothing tells what is meant are not counted.'),
  (t) => t('Not everything was read of {0} and others.'),
  (t) => t('Not everything was read of {0}.'),
  (t) => t('Only the first {0} are listed.'),
  // Also said by a refusal
  (t) => t('No way leads from {0} to {1}: not both are defined in what is read as code.'),
  (t) => t('Nothing that is read as code defines {0}.'),
];

const known = wholeWords(sayings);

/** What a list may lack, in the language of `t`. */
export const gapInWords = (gap: string, t: Translate): string => known(gap, t) ?? gap;

/** True for what is listed without a language model: its summary leads, in bold. */
export const isListing = ({ by, lead }: Pick<Answer, 'by' | 'lead'>): boolean =>
  by === 'extractive' && lead?.kind === 'answer' && lead.text.startsWith('**');

/** A list as it is written, or its summary alone, in the language of `t`; the places stay as they are. */
export const listInWords = (text: string, t: Translate): string =>
  text
    .split('\n\n')
    .map((paragraph) => paragraphInWords(paragraph, t))
    .join('\n\n');

function paragraphInWords(paragraph: string, t: Translate): string {
  if (paragraph === 'Defined here:') return t('Defined here:');
  const end = paragraph.lastIndexOf('**');
  if (paragraph.startsWith('**') && end > 2)
    return `**${gapInWords(paragraph.slice(2, end), t)}${paragraph.slice(end)}`;
  if (!paragraph.startsWith('*') || !paragraph.endsWith('*')) return paragraph;
  const sentences = paragraph.slice(1, -1).split('. ');
  const whole = sentences.map((sentence, i) => (i < sentences.length - 1 ? `${sentence}.` : sentence));
  return `*${whole.map((sentence) => gapInWords(sentence, t)).join(' ')}*`;
}
