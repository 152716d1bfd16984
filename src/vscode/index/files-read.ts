import type { IndexState } from '../../model/index-state.ts';
import type { SessionHolder } from '../session-holder.ts';

/** True while the index is being opened or reads files: what it lists is not all yet. */
export function isReading(state: IndexState | undefined): boolean {
  return state?.phase === 'starting' || state?.phase === 'reading';
}

/** Resolves when the index has read the files, or does not go on: what there is can be listed, and found by words. */
export async function filesRead(sessions: Pick<SessionHolder, 'state' | 'onState'>): Promise<void> {
  if (!isReading(sessions.state)) return;
  await new Promise<void>((resolve) => {
    const listening = sessions.onState((state) => {
      if (isReading(state)) return;
      listening.dispose();
      resolve();
    });
  });
}
