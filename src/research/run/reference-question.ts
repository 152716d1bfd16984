import { expression } from '#base';
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
  /** The number of these is asked for. */
  counts?: Counted;
}

/** What “how many” counts: places, the files that they stand in, or the functions and classes around them. */
export type Counted = 'places' | 'files' | 'users';

/** What a verb asks for, by the beginning of its forms. */
const VERBS: readonly [RegExp, ReferenceKind][] = [
  [/^(?:call|invok)/, 'calls'],
  [/^(?:instantiat|construct|creat)/, 'calls'],
  [/^(?:us(?:e|es|ed|ing)$|referenc|refer |refers |depend|need|mention)/, 'uses'],
  [/^(?:implement|extend|subclass|inherit|includ|mix)/, 'implements'],
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
  [/^(?:callers?|calls?)$/, 'calls'],
  [/^(?:uses?|usages?|references?|users?)$/, 'uses'],
  [/^(?:implementations?|implementers?|implementors?|subclass(?:es)?)$/, 'implements'],
  [/^overrides?$/, 'overrides'],
  [/^(?:imports?|importers?)$/, 'imports'],
  [/^(?:definitions?|declarations?)$/, 'definitions'],
  [/^tests?$/, 'tests'],
  [/^(?:docs?|documentation)$/, 'documents'],
];

const VERB =
  '(calls?|calling|invokes?|instantiates?|constructs?|creates?|uses?|using|references?|refers? to|depends? ' +
  'on|implements?|extends?|subclass(?:es)?|inherits? from|includes?|mixes ' +
  'in|overrides?|imports?|throws?|raises?|sets?|assigns?|reads?|registers?|tests?|covers?|exercises?)';
const PARTICIPLE =
  '(called|invoked|instantiated|constructed|created|used|referenced|implemented|extended|subclassed|overridden|' +
  'imported|thrown|raised|set|assigned|read|defined|declared|added|registered|configured|wired up|wired|subscribed|' +
  'handled|emitted|tested|covered)';
const KIND =
  '(?:function|method|class|interface|type|trait|constant|variable|field|module|file|error|event|setting|symbol)';
/** What a symbol may be to those who speak of it, in words that programs have no syntax for. */
const PART = '(?:plugin|command|hook|handler|middleware|route|service|component|task|job|listener|option)';
/** Backticked or quoted, or one word that a program could hold. */
const SYMBOL =
  `(?:the )?(?:${KIND} )?(\`[^\`]+\`|"[^"]+"|'[^']+'|“[^”]+”|(?:--?)?[\\w$@#][\\w$.:#>/-]*(?:\\(\\))?)(?: ` +
  `(?:${KIND}|${PART}))?`;

/** What a string may be by which something is looked up; no noun of a sentence goes before a name like these. */
const SETTING =
  '(?:(?:environment|env) (?:variable|var)|env(?:ironment)?(?: |-)?var|config(?:uration)? ' +
  '(?:key|entry|value|option|setting|variable)|settings? key|feature flag|query parameter)';
/** The same in words that also go before others (“the event bus”): what they name must be written like code. */
const KEY_NOUN = '(?:route|endpoint|event|header|topic|channel|path|option|flag|string|key|setting)';
/** Those of which a field or a variable is called so as well: only what no identifier is like is a string. */
const OR_NAME = /^(?:path|option|flag|string|key|setting)$/i;
/** A route may begin with its method; it is looked up without. */
const KEY =
  '(?:(?:GET|POST|PUT|DELETE|PATCH|HEAD) )?(`[^`]+`|"[^"]+"|\'[^\']+\'|“[^”]+”|(?:--?|/|@)?[\\w$#{:][\\w$.:#>/{}*-]*|/)';
/** Two groups: the noun before and what it names; two more where the noun comes behind. */
const STRING = `(?:the )?(?:(${SETTING}|${KEY_NOUN}) ${KEY}|${KEY} (${SETTING}|${KEY_NOUN}))`;
const whereKey = new RegExp(
  `^where(?: all| else)? (?:is|are|gets?|do we|does it|does the code) ${STRING}(?: being| getting)? ` +
    `(?:used|referenced|set|assigned|read|defined|declared|added|registered|configured|wired ` +
    `up|wired|subscribed|subscribed to|listened to|handled|emitted|fired|sent|looked ` +
    `up|mentioned|accessed|consumed)$`,
  'i',
);
const whoKey = new RegExp(
  `^(?:who|what|what code|which \\w{1,20}(?: \\w{1,20})?)(?: all| else)? ` +
    `(?:uses?|reads?|sets?|registers?|adds?|defines?|handles?|serves?|emits?|fires?|sends?|subscribes? ` +
    `to|listens? (?:to|for)|looks? up|references?|refers? to|depends? ` +
    `on|needs?|mentions?|accesses|access|consumes?) ${STRING}$`,
  'i',
);
/** What is emitted or listened to is an event; its name must be written like code. */
const whoEvent = new RegExp(
  `^(?:who|what|what code|which \\w{1,20}(?: \\w{1,20})?)(?: all| else)? (?:emits?|fires?|subscribes? ` +
    `to|listens? (?:to|for)) ${KEY}$`,
  'i',
);
const testsKey = new RegExp(
  `^(?:which|what) (?:unit |integration )?tests? (?:covers?|exercises?|tests?|uses?|calls?) ${STRING}$`,
  'i',
);

const who = new RegExp(
  `^(?:who|what|what code|which \\w{1,20}(?: \\w{1,20})?)(?: all| else)?(?: is| are| do| does)? ${VERB} ${SYMBOL}$`,
  'i',
);
const where = new RegExp(
  `^where(?: all| else)? (?:is|are|do we|does it|does the code|gets?) ${SYMBOL}(?: being| getting)? ${PARTICIPLE}$`,
  'i',
);
const callees = new RegExp(`^(?:what|which (?:functions|methods)) does ${SYMBOL} (?:call|invoke|use)$`, 'i');
const whereDoes = new RegExp(
  `^where(?: all| else)? (?:do|does) (?:we|they|the code|the program) ${VERB} ${SYMBOL}$`,
  'i',
);
const COUNTED =
  '(places|calls|call sites|times|files|modules|tests?|test files|functions|methods|classes|components|callers)';
const howMany = new RegExp(`^how many ${COUNTED}(?: do we)? ${VERB} ${SYMBOL}$`, 'i');
const howManyOf = new RegExp(
  `^how many (\\w{4,20}) (?:(?:of|for|to) ${SYMBOL}(?: are there| exist)?|(?:does|do) ${SYMBOL} have|are there ` +
    `(?:of|for|to) ${SYMBOL})$`,
  'i',
);
const howOften = new RegExp(
  `^(?:how (?:often|many times)|in how many ${COUNTED}) (?:is|are|gets?) ${SYMBOL}(?: being)? ${PARTICIPLE}$`,
  'i',
);

const TESTS = '(?:(?:any|some|the|all|unit|integration|own) ){0,2}tests?';
/** “Is load tested?”, “Does load have tests?”, “Are there tests for load?”, “What tests exist for load?”. */
const tested: readonly RegExp[] = [
  new RegExp(
    `^(?:is|are) ${SYMBOL}(?: ever| really| actually| already| well| even)?(?: unit)? (?:tested(?: ` +
      `(?:by|in|with) ${TESTS}| at all| anywhere)?|(?:covered|exercised) (?:by|in|with) ${TESTS})$`,
    'i',
  ),
  new RegExp(`^(?:does|do|has|have) ${SYMBOL} (?:have |has )?(?:${TESTS}|test coverage)$`, 'i'),
  new RegExp(`^(?:is|are) there (?:a |an )?${TESTS} (?:for|of|that covers?|covering|that tests?) ${SYMBOL}$`, 'i'),
  new RegExp(
    `^(?:what|which) ${TESTS} (?:(?:exist|exists|are there|is there|do we have|have we|are) (?:for|of)|there ` +
      `are for) ${SYMBOL}$`,
    'i',
  ),
  new RegExp(`^(?:what|which) ${TESTS} (?:does|do) ${SYMBOL} have$`, 'i'),
];

const DOCS =
  '(?:(?:any|some|the|all|our) )?(?:docs?|documents|documentation|docs? ' +
  'pages?|pages?|guides?|readmes?|markdown files?|parts? of the (?:docs?|documentation))';
/** “Which docs mention load?”, “Where is load documented?”, “Is load mentioned in the docs?”. */
const documented: readonly RegExp[] = [
  new RegExp(
    `^(?:which|what|list|show(?: me)?|find)(?: all)? ${DOCS} (?:that |which ` +
      `)?(?:mentions?|names?|documents?|references?|refers? to|(?:speaks?|talks?) (?:of|about)) ${SYMBOL}$`,
    'i',
  ),
  new RegExp(`^where (?:is|are) ${SYMBOL} (?:documented|(?:mentioned|named|described) in ${DOCS})$`, 'i'),
  new RegExp(
    `^(?:is|are) ${SYMBOL} (?:(?:documented|mentioned|named)(?: anywhere| at ` +
      `all)?|(?:documented|mentioned|named|described) (?:in|by) ${DOCS})$`,
    'i',
  ),
  new RegExp(`^(?:is|are) there (?:any )?${DOCS} (?:for|of|on|about|that mentions?) ${SYMBOL}$`, 'i'),
];

const list = new RegExp(
  `^(?:please )?(?:list|show|show me|find|name|give me|what are|who are)(?: all)?(?: the)?(?: of the)? ` +
    `(\\w{3,20}) (?:of|for|to) ${SYMBOL}$`,
  'i',
);

const surelyKey = new RegExp(`^${SETTING}$`, 'i');
/** Words for what was spoken of before: no program is asked about them. */
const POINTS_BACK = expression('i')`
  ^(?:it|its|this|that|these|those|they|them|he|she|him|her|you|us|me|everything|anything|something|nothing|all|any|
    one|there|what|which)$
`;

const KIND_AFTER = new RegExp(`^(?:${KIND} )|(?: ${KIND})$`, 'i');
const ONCE = '(?: ever| eventually| finally| indirectly| actually)?';
const REACH =
  '(?:reach(?:es)?|gets? to|leads? to|goes to|arrives? at|ends? up (?:in|at|calling|using|invoking|throwing)|' +
  'comes? to (?:call|use)|calls?|invokes?|triggers?|uses?|throws?|depends? on|connects? to)';
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
      `^(?:(?:what|which|show(?: me)?|find|give me|trace|follow|is there|what is|what's) )?(?:(?:the|a|an|any) ` +
        `)?(?:(?:shortest|call|whole) )?(?:path|route|way|chain|trail|calls?)(?: of calls)?(?: ` +
        `(?:leads?|goes|runs|connects?|is there|there is))? (?:from |between )${END} (?:to|and|with) ${END}$`,
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
  const found = askedBy(documented, 'documents', asked) ?? askedBy(tested, 'tests', asked) ?? bare(inTests);
  if (!found || asksBack(found.symbol, inTests)) return undefined;
  const kind = inTests === asked ? found.kind : 'tests';
  const isWord =
    !found.plain && OF_THINGS.includes(kind) && /^[a-z]+$/.test(found.symbol) && asked.includes(` ${found.symbol}`);
  return { ...found, kind, ...(isWord && { isWord }) };
}

/** “Who calls it?”: only in quotes such a word is a name. */
const asksBack = (symbol: string, asked: string): boolean =>
  POINTS_BACK.test(symbol) && !['`', '"', "'", '“'].some((quote) => asked.includes(`${quote}${symbol}`));

/** What is also asked of things that no program defines: which tests cover logging, what uses memory. */
const OF_THINGS: readonly ReferenceKind[] = ['tests', 'uses', 'sets', 'reads', 'keys', 'documents'];

function bare(asked: string): ReferenceQuestion | undefined {
  const key = keyAsked(asked);
  if (key) return key;
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
  const [, word, symbol] = listed ?? whereDoes.exec(asked) ?? [];
  if (word === undefined || symbol === undefined) return numberAsked(asked);
  const kind = kindOf(listed ? NOUNS : VERBS, word);
  return kind && { symbol: named(symbol), kind };
}

/** Whether something is tested or documented, and where. */
function askedBy(forms: readonly RegExp[], kind: ReferenceKind, asked: string): ReferenceQuestion | undefined {
  for (const form of forms) {
    const [, symbol] = form.exec(asked) ?? [];
    if (symbol !== undefined) return { symbol: named(symbol), kind };
  }
  return undefined;
}

/** A string by which something is looked up: a setting, an environment variable, a route, an event. */
function keyAsked(asked: string): ReferenceQuestion | undefined {
  const event = whoEvent.exec(asked)?.[1];
  if (event !== undefined && /^["'“`]|\w[.:/-]\w/.test(event)) return { symbol: named(event), kind: 'keys' };
  const tests = testsKey.exec(asked);
  const [, before, behind, ahead, after] = whereKey.exec(asked) ?? whoKey.exec(asked) ?? tests ?? [];
  const [noun, written] = before !== undefined ? [before, behind] : [after, ahead];
  if (noun === undefined || written === undefined) return undefined;
  const isSure = before !== undefined && surelyKey.test(noun);
  if (!isSure && !LIKE_CODE.test(written) && !/^[A-Z][A-Z\d]+$/.test(written)) return undefined;
  if (OR_NAME.test(noun) && !/^["'“/-]|[.:/-]/.test(written)) return undefined;
  const symbol = named(written).replace(/^(?:GET|POST|PUT|DELETE|PATCH|HEAD) /, '');
  return { symbol, kind: tests ? 'tests' : 'keys' };
}

/** How many places, files or functions do something with a symbol: the list, and its number. */
function numberAsked(asked: string): ReferenceQuestion | undefined {
  const doing = howMany.exec(asked);
  const having = howManyOf.exec(asked);
  const often = howOften.exec(asked);
  const [noun, written, kind] = doing
    ? [doing[1], doing[3], kindOf(VERBS, doing[2] ?? '')]
    : having
      ? [having[1], having[2] ?? having[3] ?? having[4], kindOf(NOUNS, having[1] ?? '')]
      : [often?.[1] ?? 'times', often?.[2], kindOf(VERBS, often?.[3] ?? '')];
  if (noun === undefined || written === undefined || kind === undefined || noun === 'users') return undefined;
  const symbol = named(written);
  return {
    symbol,
    kind: doing && /^tests?\b/i.test(noun) ? 'tests' : kind,
    counts: countedBy(noun),
    // How often a thing of a sentence is used is no question for a program.
    ...(often && !LIKE_CODE.test(written) && /^[a-z]+$/.test(symbol) && { isWord: true }),
  };
}

const countedBy = (noun: string): Counted =>
  /files|modules/i.test(noun)
    ? 'files'
    : /^(?:functions|methods|classes|components|callers)$/i.test(noun)
      ? 'users'
      : 'places';

const kindOf = (table: typeof VERBS, word: string): ReferenceKind | undefined =>
  table.find(([form]) => form.test(word.toLowerCase()))?.[1];

const named = (written: string): string => written.replace(/^[`"'“]|[`"'”]$/g, '').trim();
