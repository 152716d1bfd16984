import type { CodeLanguage } from './code-language.ts';
import { c, cpp } from './languages/c-and-cpp.ts';
import { csharp } from './languages/csharp.ts';
import { javascript, javascriptreact, typescript, typescriptreact } from './languages/ecmascript.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { kotlin } from './languages/kotlin.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { shellscript } from './languages/shellscript.ts';
import { swift } from './languages/swift.ts';

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
