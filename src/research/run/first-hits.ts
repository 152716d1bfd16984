import type { RunState } from './run-state.ts';

/** So many passages are worth a look while the trail is still being looked for. */
const FIRST_HITS = 5;

/**
 * Begins one quick search beside the run, which does not wait for it: a person then sees passages while the beam still
 * works. They are told when they come before anything else that was found; an error is kept quiet, since the run itself
 * meets it and tells.
 */
export function searchFirst(run: RunState): void {
  if (!run.options.firstHits) return;
  const { text, scope } = run.question;
  const signal = AbortSignal.any([run.signal, run.found]);
  run.retriever
    .search(text, { retriever: 'hybrid', limit: FIRST_HITS, ...(scope && { filter: scope }) }, signal)
    .then(({ hits }) => {
      if (signal.aborted || hits.length === 0) return;
      run.emit({ type: 'first-hits', hits: hits.map(({ passage, score }) => ({ passage, score })) });
    })
    .catch(() => undefined);
}
