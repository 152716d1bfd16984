import { generationCount, generationName, generationPrefix, type IndexLayout } from '../store/index-layout.ts';
import { IndexDamagedError } from '../store/storage-errors.ts';
import type { IndexBuild } from './index-build.ts';
import type { SessionPorts } from './index-session.ts';

/** Which builds to use. */
export interface GenerationChoice {
  /** Written to. */
  writing: string;
  /** Answers until `writing` is complete; undefined when `writing` answers itself. */
  answering?: string;
  /** Of no use any more. */
  leftovers: string[];
}

/**
 * A build for another schema or another embedder goes on answering while the one for this schema and embedder grows
 * beside it.
 */
export async function chooseGeneration(layout: IndexLayout, embedderId: string): Promise<GenerationChoice> {
  const [current, names] = await Promise.all([layout.current(), layout.list()]);
  const prefix = generationPrefix(embedderId);
  const suitable = names
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => generationCount(a) - generationCount(b));
  const answers = current !== undefined && names.includes(current) ? current : undefined;
  // A later build of the same kind beside the one that answers is a rebuild that was cut short: it is begun again when
  // asked for.
  const writing = answers?.startsWith(prefix) ? answers : (suitable.at(-1) ?? generationName(embedderId, 1));
  const answering = answers === writing ? undefined : answers;
  return { writing, answering, leftovers: names.filter((name) => name !== writing && name !== answering) };
}

/** Name of the next build of the same kind. */
export async function nextGeneration(layout: IndexLayout, embedderId: string): Promise<string> {
  const prefix = generationPrefix(embedderId);
  const counts = (await layout.list()).filter((name) => name.startsWith(prefix)).map(generationCount);
  return generationName(embedderId, Math.max(0, ...counts) + 1);
}

/** Whether a build can be read: everything in it, once. */
export class DamageCheck {
  private readonly log: SessionPorts['log'];
  private readonly signal: AbortSignal;

  /** @param signal Ends every check. */
  constructor(log: SessionPorts['log'], signal: AbortSignal) {
    this.log = log;
    this.signal = signal;
  }

  /** False for an error that does not come back: that was no damage. */
  async confirms(error: IndexDamagedError, build: IndexBuild | undefined): Promise<boolean> {
    try {
      await build?.verify(this.signal);
      this.log('warn', `a passing failure of the index: ${error.message}`);
      return false;
    } catch (found) {
      return found instanceof IndexDamagedError;
    }
  }

  /** Checks a build that was just opened; `replace` is called when it is damaged. Never rejects. */
  async look(build: IndexBuild, replace: (error: IndexDamagedError) => Promise<void>): Promise<void> {
    try {
      await build.verify(this.signal);
    } catch (error) {
      if (this.signal.aborted) return;
      if (!(error instanceof IndexDamagedError))
        return this.log('warn', `the index could not be checked: ${String(error)}`);
      await replace(error).catch((failure: unknown) =>
        this.log('error', `the damaged index could not be replaced: ${String(failure)}`),
      );
    }
  }
}
