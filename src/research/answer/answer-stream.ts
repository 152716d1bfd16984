import { withoutSecrets } from '#base';
import { saysNothing, withoutMarks } from '../operators/prompts/read-answer.ts';
import { inlineText } from './passage-lines.ts';

const LABEL =
  /^[\s*_#>-]*(?:answer|because|short answer|final answer|why|reasoning|conflicts?)\s*(?:[*_]+\s*)?:\s*[*_]*/iu;

/**
 * Shows a reply while it is written: whole lines only, inert, without labels and marks (numbers are given when the
 * citations have been checked). A reply that says that there is no answer is not shown at all.
 */
export class AnswerStream {
  readonly #show: (text: string) => void;
  /** Pieces of the line that is being written. */
  #line: string[] = [];
  #silent = false;
  #any = false;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  write(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line.push(text.slice(from, end));
      this.end();
      from = end + 1;
    }
    if (from < text.length) this.#line.push(text.slice(from));
  }

  end(): void {
    const line = this.#line.join('');
    this.#line = [];
    this.#put(line);
  }

  #put(line: string): void {
    const text = inlineText(withoutMarks(withoutSecrets(line).replace(LABEL, '')));
    if (text === '') return;
    if (!this.#any && saysNothing(text)) this.#silent = true;
    if (this.#silent) return;
    this.#show(this.#any ? `\n${text}` : text);
    this.#any = true;
  }
}
