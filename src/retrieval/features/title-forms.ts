import type { Passage } from '../../model/passage.ts';
import { nameForm } from '../text/names.ts';

/** Headings that many notes have: they name a part of their note, and nothing that another note could mean. */
const COMMON_HEADINGS = new Set(('actions agenda alternatives answer answers attendees background causes cause changes checklist conclusion consequences contact contents context contract cost costs ' +
  'data decision decisions delivery description details discussion example examples faq goals history impact install installation introduction issues limits links log material materials method ' +
  'methods money next notes note open options order orders outcome overview participants people plan present price prices problem problems purpose question questions reason reasons references ' +
  'remark remarks requirements result results risks schedule scope see setup solution status steps summary support tasks terms test tests timeline todo topics usage use warranty work').split(' '));

/** `2024-02-17-silent-weekend` and `0003 Heated battery boxes` are spoken of without the date or running number in front. */
const NUMBERED = /^(?:\p{N}{4} \p{N}{2} \p{N}{2} |0\p{N}+ )(?=\p{L}{3})/u;

/**
 * Comparable forms of what a passage is called, the one it is best known by first. A note is known by its document's title and its file's name,
 * then by the headings over it, unless many notes have the like; a piece of code by its symbol, then by what encloses it and its file.
 */
export function titleForms(passage: Pick<Passage, 'title' | 'path'>, isCode: boolean): string[] {
  const parts = passage.title.split(' > ').map(nameForm);
  const file = nameForm((passage.path.split('/').at(-1) ?? '').replace(/\.[^.]+$/, ''));
  if (isCode) return distinct([...parts.reverse(), file]);
  const [document = '', ...headings] = parts;
  const titles = [document, document.replace(NUMBERED, ''), file, file.replace(NUMBERED, '')];
  return distinct([...titles, ...headings.reverse().filter((heading) => !COMMON_HEADINGS.has(heading))]);
}

const distinct = (forms: readonly string[]): string[] => [...new Set(forms.filter((form) => form.length > 1))];
