import type { ReferenceKind } from '#search';

/** A question that the references between files answer outright. */
interface ReferenceQuestion {
  symbol: string;
  kind: ReferenceKind;
  /** The other end, for `reaches`. */
  to?: string;
  /** Ends that are written like any word: they are meant only where something is called so that can be reached. */
  plain?: string[];
  /** Written like any word (“which tests cover redaction”): no use of the symbol says little of what is asked. */
  isWord?: boolean;
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
  [/^(?:add|register|subscrib|handl|emit|configur|wired)/, 'uses'],
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
  '(called|invoked|instantiated|constructed|created|used|referenced|implemented|extended|subclassed|overridden|imported|thrown|raised|set|assigned|read|defined|declared|added|registered|configured|wired up|wired|subscribed|handled|emitted|tested|covered)';
const KIND =
  '(?:function|method|class|interface|type|trait|constant|variable|field|module|file|error|event|setting|symbol)';
/** What a symbol may be to those who speak of it, in words that programs have no syntax for. */
const PART = '(?:plugin|command|hook|handler|middleware|route|service|component|task|job|listener|option)';
/** Backticked or quoted, or one word that a program could hold. */
const SYMBOL = `(?:the )?(?:${KIND} )?(\`[^\`]+\`|"[^"]+"|'[^']+'|“[^”]+”|(?:--?)?[\\w$@#][\\w$.:#>/-]*(?:\\(\\))?)(?: (?:${KIND}|${PART}))?`;

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

const KIND_AFTER = new RegExp(`^(?:${KIND} )|(?: ${KIND})$`, 'i');
const ONCE = '(?: ever| eventually| finally| indirectly| actually)?';
const REACH =
  '(?:reach(?:es)?|gets? to|leads? to|goes to|arrives? at|ends? up (?:in|at|calling|using|invoking|throwing)|comes? to (?:call|use)|calls?|invokes?|triggers?|uses?|throws?|depends? on|connects? to)';
const JOINED = '(?:connected|related|linked|tied|joined)';
const END = `((?:the )?(?:${KIND} )?(?:\`[^\`]+\`|"[^"]+"|'[^']+'|“[^”]+”|[\\w$@#][\\w$.:#>/-]*(?:\\(\\))?)(?: ${KIND})?)`;

/** Forms of a question for the way from one symbol to another; `to` and `from` say which end is named first. */
const WAYS: readonly [RegExp, 'from' | 'to'][] = [
  [new RegExp(`^how (?:does|do|can|could|would|will) ${END}${ONCE} ${REACH} ${END}$`, 'i'), 'from'],
  [new RegExp(`^(?:how )?(?:is|are) ${END}${ONCE} ${JOINED} (?:to|with) ${END}$`, 'i'), 'from'],
  [
    new RegExp(
      `^how (?:are|is|do|does) ${END} and ${END} (?:${JOINED}|connect|relate|meet)(?: to each other| together)?$`,
      'i',
    ),
    'from',
  ],
  [
    new RegExp(
      `^(?:(?:what|which|show(?: me)?|find|give me|trace|follow|is there|what is|what's) )?(?:(?:the|a|an|any) )?(?:(?:shortest|call|whole) )?(?:path|route|way|chain|trail|calls?)(?: of calls)?(?: (?:leads?|goes|runs|connects?|is there|there is))? (?:from |between )${END} (?:to|and|with) ${END}$`,
      'i',
    ),
    'from',
  ],
  [new RegExp(`^(?:does|do|can|could|will) ${END}${ONCE} ${REACH} ${END}(?: in the end| indirectly)?$`, 'i'), 'from'],
  [
    new RegExp(
      `^(?:how |from where )?is ${END}${ONCE} (?:reached|reachable|called|invoked|triggered) (?:from|by) ${END}$`,
      'i',
    ),
    'to',
  ],
];

/** `the backup job` is one of the program only where something is called `backup`. */
const NAMES_PART = new RegExp(` ${PART} `, 'i');
/** Written as no word of a sentence is: quoted, with brackets, dots, underscores, or capitals inside. */
const LIKE_CODE = /^[`"'“-]|\(\)|[_.:#>/$@]|[a-z][A-Z]|\d/;

function wayBetween(asked: string): ReferenceQuestion | undefined {
  for (const [form, first] of WAYS) {
    const [, one = '', other = ''] = form.exec(asked) ?? [];
    if (one === '' || other === '') continue;
    const ends = [one, other].map((written) => {
      const bare = written.replace(/^the /i, '').replace(KIND_AFTER, '');
      return {
        symbol: named(bare),
        plain: !LIKE_CODE.test(bare),
        isNoun: bare === written.replace(/^the /i, '') && bare !== written,
      };
    });
    // `the parser` is a thing of a sentence, `the function parser` is not.
    if (ends.some(({ plain, isNoun }) => plain && isNoun)) return undefined;
    const plain = ends.filter((end) => end.plain).map(({ symbol }) => symbol);
    const [from, to] = first === 'from' ? ends : [...ends].reverse();
    return { symbol: from?.symbol ?? '', kind: 'reaches', to: to?.symbol ?? '', ...(plain.length > 0 && { plain }) };
  }
  return undefined;
}

/**
 * Whether a question asks for the places that call, use, implement, set, … one symbol, or for the way from one symbol
 * to another, and for nothing else; undefined where it asks for more, or something else.
 */
export function referenceQuestion(question: string): ReferenceQuestion | undefined {
  const asked = question
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?.!]{1,3}$/, '')
    .trim();
  if (asked.length > 240) return undefined;
  const way = wayBetween(asked);
  if (way) return way;
  const inTests = asked.replace(/ in (?:the )?tests$/i, '');
  const found = bare(inTests);
  if (!found) return undefined;
  const kind = inTests === asked ? found.kind : 'tests';
  const isWord =
    !found.plain && OF_THINGS.includes(kind) && /^[a-z]+$/.test(found.symbol) && asked.includes(` ${found.symbol}`);
  return { ...found, kind, ...(isWord && { isWord }) };
}

/** What is also asked of things that no program defines: which tests cover logging, what uses memory. */
const OF_THINGS: readonly ReferenceKind[] = ['tests', 'uses', 'sets', 'reads'];

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
    const isPart = !LIKE_CODE.test(done[1]) && NAMES_PART.test(done[0]);
    const symbol = named(done[1]);
    // An option of a command line is a string, which nothing defines.
    return kind && { symbol, kind: symbol.startsWith('-') ? 'keys' : kind, ...(isPart && { plain: [done[1]] }) };
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
