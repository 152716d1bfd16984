import { render } from 'lit';
import type { FromLearningPage, ToLearningPage } from '#protocol';
import { learningView } from './learning-view.ts';

/** Shows what was learnt, each time that the extension tells it. */
export class LearningPage {
  readonly #post: (message: FromLearningPage) => void;
  readonly #root = document.createElement('main');

  constructor(post: (message: FromLearningPage) => void) {
    this.#post = post;
    this.#root.className = 'scroll learning';
    this.#root.tabIndex = -1;
    document.body.append(this.#root);
  }

  start(): void {
    this.#post({ type: 'ready' });
  }

  /** Messages that are not known change nothing. */
  receive(message: ToLearningPage): void {
    if (message.type === 'learning') render(learningView(message.report, this.#post), this.#root);
  }
}
