import { wordList } from '#base';
import { aroundCode } from './sanitise-text.ts';

/** Those that people write, each with its sign; none of a sign that means something to Markdown or HTML. */
const NAMES_AND_SIGNS = wordList(`
  deg ° ndash – mdash — hellip … lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ laquo « raquo » times × divide ÷
  plusmn ± minus − frac12 ½ frac14 ¼ frac34 ¾ sup1 ¹ sup2 ² sup3 ³ micro µ euro € pound £ yen ¥ cent ¢ copy ©
  reg ® trade ™ sect § para ¶ middot · bull • rarr → larr ← uarr ↑ darr ↓ harr ↔ le ≤ ge ≥ ne ≠ asymp ≈ infin ∞
  permil ‰ prime ′ Prime ″ ordm º ordf ª iexcl ¡ iquest ¿ Auml Ä auml ä Ouml Ö ouml ö Uuml Ü uuml ü szlig ß
  Aring Å aring å AElig Æ aelig æ Oslash Ø oslash ø Eacute É eacute é Egrave È egrave è ecirc ê euml ë Agrave À
  agrave à Aacute Á aacute á acirc â atilde ã Ccedil Ç ccedil ç iacute í icirc î iuml ï Ntilde Ñ ntilde ñ oacute ó
  ocirc ô otilde õ uacute ú ugrave ù ucirc û alpha α beta β gamma γ Delta Δ delta δ lambda λ mu μ pi π sigma σ
  Omega Ω omega ω
`);
const SIGNS = new Map([
  ...NAMES_AND_SIGNS.flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1] ?? ''] as const] : [])),
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name) => [name, ' '] as const),
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** `&amp;lt;` stays: it is said of an entity. */
const ENTITY = /&(?!amp;#?\w{1,30};)(?:#(\d{2,7})|#[xX]([\da-fA-F]{2,6})|([A-Za-z]{2,8}\d{0,2}));/gu;
/**
 * Words of HTML or Markdown with the signs that their entities stand for: `1,250&nbsp;&deg;C` is 1,250 °C. Code stays
 * as it is, and so do the entities of signs that could open a tag, a link or a mark.
 */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  const parts = aroundCode(text);
  return parts?.map((part, i) => (i % 2 === 0 ? signsOf(part) : part)).join('') ?? text;
}

const signsOf = (text: string): string =>
  text.replace(ENTITY, (all, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? signOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal), all)
      : (SIGNS.get(name) ?? all),
  );

/** A sign outside of ASCII, or an apostrophe or quotation mark. Half a pair of UTF-16 is none. */
function signOf(code: number, entity: string): string {
  if (code === 0x22 || code === 0x27) return String.fromCodePoint(code);
  return code >= 0xa0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : entity;
}
