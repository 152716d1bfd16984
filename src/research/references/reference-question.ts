import type { ReferenceKind } from '#search';

/** A question that the references between files answer outright. */
export interface ReferenceQuestion {
  symbol: string;
  kind: ReferenceKind;
}

/** What a verb asks for, by the beginning of its forms. */
const VERBS: readonly [RegExp, ReferenceKind][] = [
  [/^(?:call|invok)/, 'calls'],
  [/^(?:instantiat|construct|creat)/, 'calls'],
  [/^(?:us(?:e|es|ed|ing)$|referenc|refer |refers |depend|need|mention)/, 'uses'],
  [/^(?:implement|extend|subclass|inherit)/, 'implements'],
  [/^overr/, 'overrides'],
  [/^import/, 'imports'],
  [/^(?:throw|rais)/, 'throws'],
  [/^(?:set|sets|assign|writ|chang)/, 'sets'],
  [/^(?:read|reads)$/, 'reads'],
  [/^(?:defin|declar)/, 'definitions'],
  [/^(?:register|subscrib|handl|emit)/, 'uses'],
  [/^(?:test|cover|exercis)/, 'tests'],
];

const NOUNS: readonly [RegExp, ReferenceKind][] = [
  [/^callers?$/, 'calls'],
  [/^calls?$/, 'calls'],
  [/^(?:uses?|usages?|references?|users?)$/, 'uses'],
  [/^(?:implementations?|implementers?|implementors?|subclass(?:es)?)$/, 'implements'],
  [/^overrides?$/, 'overrides'],
  [/^(?:imports?|importers?)$/, 'imports'],
  [/^(?:definitions?|declarations?)$/, 'definitions'],
  [/^tests?$/, 'tests'],
];

const VERB =
  '(calls?|calling|invokes?|instantiates?|constructs?|creates?|uses?|using|references?|refers? to|depends? on|implements?|extends?|subclass(?:es)?|inherits? from|overrides?|imports?|throws?|raises?|sets?|assigns?|reads?|registers?|tests?|covers?|exercises?)';
const PARTICIPLE =
  '(called|invoked|instantiated|constructed|created|used|referenced|implemented|extended|subclassed|overridden|imported|thrown|raised|set|assigned|read|defined|declared|registered|subscribed|handled|emitted|tested|covered)';
const KIND =
  '(?:function|method|class|interface|type|trait|constant|variable|field|module|file|error|event|setting|symbol)';
/** Backticked or quoted, or one word that a program could hold. */
const SYMBOL = `(?:the )?(?:${KIND} )?(\`[^\`]+\`|"[^"]+"|'[^']+'|“[^”]+”|[\\w$@#][\\w$.:#>/-]*(?:\\(\\))?)(?: ${KIND})?`;

const who = new RegExp(
  `^(?:who|what|what code|which \\w{1,20}(?: \\w{1,20})?)(?: all| else)?(?: is| are| do| does)? ${VERB} ${SYMBOL}$`,
  'i',
);
const where = new RegExp(
  `^where(?: all| else)? (?:is|are|do we|does it|does the code|gets?) ${SYMBOL}(?: being| getting)? ${PARTICIPLE}$`,
  'i',
);
const callees = new RegExp(`^(?:what|which (?:functions|methods)) does ${SYMBOL} (?:call|invoke|use)$`, 'i');
const list = new RegExp(
  `^(?:please )?(?:list|show|show me|find|name|give me|what are|who are)(?: all)?(?: the)?(?: of the)? (\\w{3,20}) (?:of|for|to) ${SYMBOL}$`,
  'i',
);

/**
 * Whether a question asks for the places that call, use, implement, set, … one symbol, and for nothing else; undefined
 * where it asks for more, or something else.
 */
export function referenceQuestion(question: string): ReferenceQuestion | undefined {
  const asked = question
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?.!]{1,3}$/, '')
    .trim();
  if (asked.length > 240) return undefined;
  const inTests = asked.replace(/ in (?:the )?tests$/i, '');
  const found = bare(inTests);
  return found && inTests !== asked ? { ...found, kind: 'tests' } : found;
}

function bare(asked: string): ReferenceQuestion | undefined {
  const called = callees.exec(asked);
  if (called?.[1]) return { symbol: named(called[1]), kind: 'callees' };
  const doing = who.exec(asked);
  if (doing?.[1] && doing[2]) {
    const kind = kindOf(VERBS, doing[1]);
    return kind && { symbol: named(doing[2]), kind: /^which (?:unit )?tests?\b/i.test(asked) ? 'tests' : kind };
  }
  const done = where.exec(asked);
  if (done?.[1] && done[2]) {
    const kind = kindOf(VERBS, done[2]);
    return kind && { symbol: named(done[1]), kind };
  }
  const listed = list.exec(asked);
  if (listed?.[1] && listed[2]) {
    const kind = kindOf(NOUNS, listed[1]);
    return kind && { symbol: named(listed[2]), kind };
  }
  return undefined;
}

const kindOf = (table: typeof VERBS, word: string): ReferenceKind | undefined =>
  table.find(([form]) => form.test(word.toLowerCase()))?.[1];

const named = (written: string): string => written.replace(/^[`"'“]|[`"'”]$/g, '').trim();
