import { wordSet } from '#base';
import { isStopWord } from './stop-words.ts';
import { segmentsOf } from './words.ts';

/** Runs of letters in which no space parts the words. */
const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{2,}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /^[\p{Script=Han}々]+$/u;
/**
 * Surnames of nine in ten Chinese. Those that are as often words of their own (高 high, 白 white, 金 gold) are missing:
 * a person of that name is found by words.
 */
const SURNAMES = new Set(
  '王李张刘陈杨赵吴周徐孙朱胡郭何罗郑梁谢宋唐许邓韩冯曹彭肖田董袁潘蒋蔡杜魏程吕丁沈姚卢傅钟崔汪谭陆廖贾韦邱侯邹熊孟秦阎薛郝龚邵钱黎赖張劉陳楊趙吳孫羅鄭謝許鄧韓馮蕭蔣呂盧鍾譚陸賈韋鄒閻龔錢賴',
);
/** What people are called behind their names. */
const TITLES = wordSet(`
  さん 様 さま 氏 君 くん ちゃん 先生 教授 博士 部長 課長 社長 会長
  女士 小姐 老师 医生 经理 總經理 老師 醫生 經理
`);
/** A measure word as often as a surname: `三张照片`. */
const COUNTED = /[一二两三四五六七八九十百千几這这那每\p{N}]$/u;
/** A given name has one or two characters. */
const MOST_GIVEN = 2;

/**
 * Names of people in Chinese and Japanese, where nothing is capital: what stands before a title (`田中さん`), and a
 * Chinese surname with a given name that no word of the dictionary has taken (`王小明`).
 */
export function* hanNames(text: string): Generator<{ text: string; start: number }> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const words = segmentsOf(run);
    for (let i = 0; i < words.length; i++) {
      const last = endOfTitled(words, i) ?? (KANA.test(run) ? undefined : endOfChinese(run, words, i));
      const [first, end] = [words[i], words[last ?? i]];
      if (last === undefined || !first || !end) continue;
      yield { text: run.slice(first.start, end.start + end.text.length), start: index + first.start };
      i = last;
    }
  }
}

type Words = readonly { text: string; start: number }[];

/** The last of one or two words that a title follows: surname, or surname and given name. */
function endOfTitled(words: Words, from: number): number | undefined {
  for (let last = from; last <= from + 1; last++) {
    const word = words[last]?.text ?? '';
    if (!HAN.test(word) || isStopWord(word) || TITLES.has(word)) return undefined;
    if (TITLES.has(words[last + 1]?.text ?? '')) return last;
  }
  return undefined;
}

function endOfChinese(run: string, words: Words, from: number): number | undefined {
  const first = words[from];
  if (!first || !SURNAMES.has(first.text.charAt(0)) || COUNTED.test(run.slice(0, first.start))) return undefined;
  if (first.text.length > 1) return undefined; // a word of the dictionary
  let last = from;
  for (let given = 0; last + 1 < words.length; last++) {
    const next = words[last + 1]?.text ?? '';
    given += next.length;
    if (given > MOST_GIVEN || !HAN.test(next) || isStopWord(next)) break;
  }
  return last === from ? undefined : last;
}
