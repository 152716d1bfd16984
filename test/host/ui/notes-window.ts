import { after, afterEach, before, type Test } from 'mocha';
import { VscodeHost, type HostOptions } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { copyExample } from './workspace-copy.ts';

/** A real VS Code for a copy of the example notes; no window is open yet. */
export interface NotesHost {
  workspace: string;
  host: VscodeHost;
}

/** A window of it, the panel open, the index up to date. */
export interface NotesWindow extends NotesHost {
  workbench: Workbench;
  panel: HoptrailPanel;
}

type MoreOptions = () => Promise<Partial<HostOptions>>;

/**
 * Opens such a host before the suite in which this is called, hands it over, takes a picture after a test that fails,
 * and closes it at the end. @param more What else the host is to be opened with; extensions named there are linked
 * beside Hoptrail.
 */
export function useNotesHost(
  hand: (opened: NotesHost) => Promise<void> | void,
  more: MoreOptions = async () => ({}),
): void {
  let host: VscodeHost | undefined;
  before(async () => {
    const workspace = copyExample('notes');
    const { linked = [], ...options } = await more();
    host = await VscodeHost.open({ ...options, linked: [repositoryRoot, ...linked], folders: [workspace] });
    await hand({ workspace, host });
  });
  afterEach(async function () {
    await noteFailure(this.currentTest, host);
    // Tests of a window go on from one another: after one that failed, each would wait for what never comes.
    if (this.currentTest?.isFailed()) this.currentTest.parent?.bail(true);
  });
  after(() => host?.close());
}

/** After a test that failed, whether or not it is tried again: takes a picture, and prints what was in view. */
export async function noteFailure(test: Test | undefined, host: VscodeHost | undefined): Promise<void> {
  if (!test || test.isPassed() || test.isPending()) return;
  const seen = await host?.capture(test.title).catch((error: unknown) => `that cannot be told: ${String(error)}`);
  if (seen !== undefined) console.error(`In view after “${test.title}”: ${seen}`);
}

/** As {@link useNotesHost}, with a window whose panel is open. */
export function useNotesWindow(hand: (opened: NotesWindow) => void, more?: MoreOptions): void {
  useNotesHost(async (opened) => {
    const workbench = await opened.host.openWindow();
    const panel = await HoptrailPanel.open(workbench);
    hand({ ...opened, workbench, panel });
    await panel.waitForIndex();
  }, more);
}
