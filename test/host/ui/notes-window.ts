import { after, afterEach, before } from 'mocha';
import { VscodeHost, type HostOptions } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { copyExample, type WorkspaceCopy } from './workspace-copy.ts';

/** A window of a real VS Code on a copy of the example notes, the panel open, the index up to date. */
export interface NotesWindow {
  workspace: WorkspaceCopy;
  host: VscodeHost;
  workbench: Workbench;
  panel: HoptrailPanel;
}

/**
 * Opens such a window before the suite in which this is called, hands it over, takes a picture after a test that fails,
 * and closes it at the end. @param more What else the host is to be opened with; extensions named there are linked
 * beside Hoptrail.
 */
export function useNotesWindow(
  hand: (opened: NotesWindow) => void,
  more: () => Promise<Partial<HostOptions>> = async () => ({}),
): void {
  let workspace: WorkspaceCopy | undefined;
  let host: VscodeHost | undefined;
  before(async () => {
    workspace = copyExample('notes');
    const { linked = [], ...options } = await more();
    host = await VscodeHost.open({ ...options, linked: [repositoryRoot, ...linked], folders: [workspace.folder] });
    const workbench = await host.openWindow();
    const panel = await HoptrailPanel.open(workbench);
    hand({ workspace, host, workbench, panel });
    await panel.waitForIndex();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await host?.capture(this.currentTest.title);
  });
  after(async () => {
    await host?.close();
    workspace?.remove();
  });
}
