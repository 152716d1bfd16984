import { shortened } from '#base/text';
type Nothing = Record<string, never>;

/** What people are told of the index besides its phase: what is known of each case. */
interface NoticeDetails {
  /** It was set aside, and is being built again. */
  damaged: Nothing;
  /** It was set aside, and has been built again. */
  rebuilt: Nothing;
  /** A new generation is being built; the one before answers. */
  'growing-beside': Nothing;
  'other-machine': Nothing;
  /** `what`: what could not be done there. */
  'place-read-only': { what: string };
  /** The embedding model made no vectors of so many. */
  'passages-refused': { passages: number };
  /** Vectors are made only while the machine has time. */
  waits: { why: 'busy' | 'battery' };
  /** `why`: what the storage said. */
  untidied: { why: string };
}

export type NoticeCode = keyof NoticeDetails;

/** One thing that people are told of the index; whoever shows it makes words of it. */
export type IndexNotice<Code extends NoticeCode = NoticeCode> = {
  [C in Code]: { code: C; details: NoticeDetails[C] };
}[Code];

/** Puts a text into the editor's language and its values in place of `{0}`, `{1}`, … */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** No translation: the English with its values. */
export const inEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));

const words: { [C in NoticeCode]: (t: Translate, details: NoticeDetails[C]) => string } = {
  damaged: (t) => t('The index was damaged. It has been set aside and is being built again from your files.'),
  rebuilt: (t) => t('The index was damaged and has been built again from your files. The damaged one was set aside.'),
  'growing-beside': (t) => t('The index is being rebuilt. The earlier one answers until the new one is ready.'),
  'other-machine': (t) => t('Another machine keeps this index up to date; here it is only read.'),
  'place-read-only': (t, { what }) =>
    t('The index cannot be written ({0}): its folder is read-only or belongs to somebody else.', what),
  'passages-refused': (t, { passages }) =>
    passages === 1
      ? t(
          '1 passage was refused by the embedding model and can be found by words only. The index report names ' +
            'the files.',
        )
      : t(
          '{0} passages were refused by the embedding model and can be found by words only. The index report ' +
            'names the files.',
          passages,
        ),
  waits: (t, { why }) =>
    why === 'battery'
      ? t('Indexing by meaning waits for mains power. What is not ready yet is found by its words.')
      : t('Indexing by meaning waits until this computer is idle. What is not ready yet is found by its words.'),
  untidied: (t, { why }) =>
    t(
      'The index could not be tidied up: {0} It can be searched and written as before, and takes more space ' +
        'than it needs; rebuilding it cures that.',
      shortened(why, 300),
    ),
};

/** The notices in words, one sentence after the other; undefined when there are none. English unless translated. */
export function describeNotices(notices: readonly IndexNotice[], t: Translate = inEnglish): string | undefined {
  const describe = <C extends NoticeCode>({ code, details }: IndexNotice<C>): string => words[code](t, details);
  return notices.map((notice) => describe(notice)).join(' ') || undefined;
}
