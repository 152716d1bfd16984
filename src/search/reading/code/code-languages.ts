import type { CodeLanguage } from './code-language.ts';
import { c, cpp } from './languages/c-and-cpp/language.ts';
import { csharp } from './languages/csharp/language.ts';
import { javascript, javascriptreact, typescript, typescriptreact } from './languages/ecmascript/language.ts';
import { go } from './languages/go/language.ts';
import { java } from './languages/java/language.ts';
import { kotlin } from './languages/kotlin/language.ts';
import { php } from './languages/php/language.ts';
import { python } from './languages/python/language.ts';
import { ruby } from './languages/ruby/language.ts';
import { rust } from './languages/rust/language.ts';
import { shellscript } from './languages/shellscript/language.ts';
import { swift } from './languages/swift/language.ts';

/** The languages that are read by a grammar: the one place where each is named. */
export const codeLanguages: readonly CodeLanguage[] = [
  c,
  cpp,
  csharp,
  javascript,
  javascriptreact,
  typescript,
  typescriptreact,
  go,
  java,
  kotlin,
  php,
  python,
  ruby,
  rust,
  shellscript,
  swift,
];
