/** `link:guide.html[the guide]`, `xref:guide.adoc#limits[limits]`, `https://example.org[a page]` */
const LINK = /(?:\b(?:link|xref|mailto):|(?=\bhttps?:\/\/))([^\s[\]<>]{1,500})\[([^\]]{0,300})\]/g;
/** `<<anchor,words>>` */
const REFERENCE = /<<#?([^<>,\n]{1,200})(?:,([^<>]{1,300}))?>>/g;
const ANCHOR = /\[\[[^\]\n]{1,200}\]\]|\banchor:[\w-]{1,100}\[[^\]\n]{0,200}\]/g;

/** `term:: what it means` */
const MEANING = /^([^:\n]{1,200})(?::{2,4}|;;)(?=\s)/;

/** AsciiDoc as a page shows it, but for its marks of type: links and references by their words, without anchors. */
export const asciidocWords = (text: string): string =>
  text
    .replace(ANCHOR, '')
    .replace(MEANING, '$1:')
    .replace(LINK, (_, target: string, words: string) => words.trim() || target)
    .replace(REFERENCE, (_, target: string, words?: string) => words?.trim() ?? target);

/** A title as people read it: without marks of type, attributes by their names. */
export const plainAsciidoc = (text: string): string =>
  asciidocWords(text)
    .replace(/\{([\w-]{1,80})\}/g, '$1')
    .replace(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
