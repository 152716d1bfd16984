import { saysNothing, withoutMarks } from '../prompts/read-answer.ts';
import { inlineText } from './format-quote.ts';

const LABEL = /^[\s*_#>-]*(?:answer|because|short answer|final answer|why|reasoning|conflicts?)\s*[*_]*\s*:\s*[*_]*/iu;

/**
 * Shows a reply while it is written: whole lines only, inert, without labels and marks (numbers are given when the citations have
 * been checked). A reply that says that there is no answer is not shown at all.
 */
export class AnswerStream {
  readonly #show: (text: string) => void;
  #line = '';
  #silent = false;
  #any = false;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  write(text: string): void {
    this.#line += text;
    for (let end = this.#line.indexOf('\n'); end >= 0; end = this.#line.indexOf('\n')) {
      this.#put(this.#line.slice(0, end));
      this.#line = this.#line.slice(end + 1);
    }
  }

  end(): void {
    this.#put(this.#line);
    this.#line = '';
  }

  #put(line: string): void {
    const text = inlineText(withoutMarks(line.replace(LABEL, '')));
    if (text === '') return;
    if (!this.#any && saysNothing(text)) this.#silent = true;
    if (this.#silent) return;
    this.#show(this.#any ? `\n${text}` : text);
    this.#any = true;
  }
}
