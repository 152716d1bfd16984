import { z } from 'zod';
import type { SlotStore } from '../artifact-slot.ts';
import { speaksToModel } from '../../records/find-poison.ts';
import type { ExpandedQuestion } from './expand-questions.ts';

const questionShape = z.object({ question: z.string(), answer: z.string(), passageIds: z.tuple([z.string(), z.string()]), by: z.enum(['template', 'model']) });
const madeShape = z.object({ version: z.literal(1), lots: z.array(z.object({ round: z.number(), questions: z.array(questionShape) })) });

type Lots = z.infer<typeof madeShape>['lots'];

/** Rounds whose questions are kept. */
const KEPT = 20;

/** Questions that rounds have made, of all workspaces: none is made twice, and those whose passages are still there go on teaching. */
export class MadeQuestions {
  readonly #store: SlotStore;
  readonly #onProblem: (error: unknown) => void;

  /** `onProblem` is told of a file that cannot be read: the next round writes it anew. */
  constructor(store: SlotStore, onProblem: (error: unknown) => void) {
    this.#store = store;
    this.#onProblem = onProblem;
  }

  /** Those whose passages are all among these, oldest first. */
  async over(passageIds: ReadonlySet<string>): Promise<ExpandedQuestion[]> {
    const all = (await this.#lots()).flatMap(({ questions }) => questions);
    return all.filter((made) => made.passageIds.every((id) => passageIds.has(id)) && ![made.question, made.answer].some(speaksToModel));
  }

  /** Whether this round has made its questions: one that goes on makes no others. */
  async madeIn(round: number): Promise<boolean> {
    return (await this.#lots()).some((lot) => lot.round === round);
  }

  async add(round: number, questions: readonly ExpandedQuestion[]): Promise<void> {
    const lots: Lots = [...(await this.#lots()), { round, questions: questions.map((made) => ({ ...made })) }];
    await this.#store.save({ version: 1, lots: lots.slice(-KEPT) });
  }

  async forget(): Promise<void> {
    await this.#store.save(undefined);
  }

  async #lots(): Promise<Lots> {
    try {
      const stored = await this.#store.load();
      return stored === undefined ? [] : madeShape.parse(stored).lots;
    } catch (error) {
      this.#onProblem(error);
      return [];
    }
  }
}
