/** Words that carry no topic, by language: they are left out of queries, coverage and overlap. */
const STOP_WORDS = {
  en: `
    a about above after again against all also am an and any are as at be became because been before being below
    between both but by can could did do does doing down during each few for from further had has have having he her
    here hers him his how i if in into is it its itself just like many may me might more most much must my no nor not
    of off on once one only or other our out over own s same she should so some such t than that the their them then
    there these they this those through to too under until up upon us very was we were what when where which while who
    whom whose why will with would you your please tell explain describe show didn don isn wasn`,
  de: `
    aber als am an auch auf aus bei beim bis da damit dann das dass dem den der deren des dessen dich die diese diesem
    diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch fur gegen gibt habe
    haben hat hatte hatten hier hinter ich ihm ihn ihr ihre ihrem ihren ihrer im in ist ja jede jeder jedes jetzt kann
    kein keine konnen konnte man mein meine mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine seinem
    seinen seiner seit sich sie sind soll sollte uber um und uns unser unsere unter viele vom von vor wann war waren
    warum was weil welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wieso wieviel wird wo
    woher wohin womit wurde wurden zu zum zur zwischen`,
  fr: `
    a au aux avec ce ceci cela ces cet cette chez combien comme comment dans de des dont du elle elles en est et
    etaient etait ete etre eux il ils je la laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui ma
    mais me mes moi ne nos notre nous on ont ou par parce pas pendant plus pourquoi quand que quel quelle quelles
    quels qui quoi sa sans se ses son sont sous sur ta te tes toi tu un une vers vos votre vous`,
  es: `
    a al aunque cada como con cual cuales cuando cuanta cuantas cuanto cuantos cuya cuyo de del desde donde durante e
    el ella ellas ellos en entre era eran es esa ese eso esta estaba estan este esto fue fueron ha han hasta hay he la
    las le les lo los mas me mi mis muy nada ni no nos nosotros nuestra nuestro o para pero por porque pues que quien
    quienes se segun ser si sin sobre su sus tambien te tiene tienen tuvo un una unas uno unos y ya`,
  zh: `
    的 了 和 是 在 有 与 及 或 也 都 就 而 但 被 把 给 对 从 到 由 于 为 以 之 其 这 那 这个 那个 这些 那些 哪 哪个 哪些 哪里 哪儿 什么 甚么 怎么 怎样 如何
    为什么 为何 谁 何时 何处 什么时候 多少 几 吗 呢 吧 啊 我 你 他 她 它 我们 你们 他们 她们 它们 自己 一个 一种 会 能 可以 要 将 并 并且 因为 所以 如果 以及
    关于 中 里 上 下 時 这样 那样 這 這個 這些 個 个 什麼 為什麼 怎麼 與 對 從 於 為 嗎 誰 幾`,
  ja: `
    の に は を が で と も へ や から まで より か ね よ な だ です ます した して する し れ れる られる られ さ い いる いた ある あっ あり なる なっ て た
    ない なかっ こと もの ため よう それ これ あれ この その あの どの どれ どこ だれ 誰 何 なに なぜ いつ どう どのように どんな いくつ いくら でし でした ました
    ません および また`,
} as const;

/** Languages whose stop words are known. */
export type StopLanguage = keyof typeof STOP_WORDS;

export const BEYOND_ASCII = /[^\u0000-\u007f]/;
const ACCENTED = /(\p{Script=Latin})\p{M}+/gu;

/** Compatibility-normalised, Latin letters without accents, as the full-text index keeps them. */
export function withoutMarks(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text.normalize('NFKD').replace(ACCENTED, '$1').normalize('NFKC');
}
const wordsOf = (language: StopLanguage): ReadonlySet<string> =>
  new Set(STOP_WORDS[language].trim().split(/\s+/).map(withoutMarks));

const SETS = Object.fromEntries(
  (Object.keys(STOP_WORDS) as StopLanguage[]).map((language) => [language, wordsOf(language)]),
) as Record<StopLanguage, ReadonlySet<string>>;
/** No English word is spelt like one of theirs. */
const ALWAYS = new Set([...SETS.en, ...SETS.zh, ...SETS.ja]);
/** Words that open a question of one language, and hardly ever a text of another. */
const OPENINGS: Partial<Record<StopLanguage, RegExp>> = {
  de: /^(?:we(?:r|n|m|ssen)|wann|wie|wieso|wieviele?|warum|wo|woher|wohin|womit|welche[mnrs]?)$/,
  fr: /^(?:qui|quand|quel(?:le)?s?|pourquoi|combien)$/,
  es: /^(?:quien(?:es)?|cuando|cual(?:es)?|cuant[ao]s?|donde)$/,
};
/** So many times the English stop words have those of another language to outnumber: names bring some along. */
const MARGIN = 2;

/** @param word plain: lower case, without accents */
export const isStopWord = (word: string, language: StopLanguage = 'en'): boolean =>
  ALWAYS.has(word) || SETS[language].has(word);

/** Whether a plain word may be a stop word of any language. */
export const mayBeStopWord = (word: string): boolean => Object.values(SETS).some((words) => words.has(word));

/**
 * The language of a text by its stop words, English in doubt: two that are not English too, and more than twice as many
 * as are English alone, or a question that opens with one and has no English one.
 *
 * @param words plain words of the text
 */
export function languageOfWords(words: readonly string[]): StopLanguage {
  let [best, most] = ['en' as StopLanguage, 1];
  for (const language of ['de', 'fr', 'es', 'zh', 'ja'] as const) {
    const own = SETS[language];
    const found = words.filter((word) => own.has(word) && !SETS.en.has(word)).length;
    const english = words.filter((word) => SETS.en.has(word) && !own.has(word)).length;
    const opens = english === 0 && OPENINGS[language]?.test(words[0] ?? '') === true;
    if ((found > most || (opens && found === most)) && found > MARGIN * english) [best, most] = [language, found];
  }
  return best;
}
