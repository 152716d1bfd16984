import { html, nothing, type TemplateResult } from 'lit';
import { baseName, type FromWebview, type Scope, type Selection } from '#protocol';
import type { PanelState } from '../panel-state.ts';
import { t } from '../strings.ts';
import { count, codicon } from './labels.ts';
import { selectionIcon, selectionLabel, selectionTitle } from './question.ts';

/** More files than this are one chip: the scope must not push the input away. */
const MOST_FILE_CHIPS = 3;
/** So many of its paths are named when the pointer rests on such a chip. */
const PATHS_IN_TITLE = 20;

/** What the chips may change. */
export interface ChipPorts {
  post(message: FromWebview): void;
  setScope(scope: Scope): void;
  /** Whether the scope goes on into the next thread. */
  pinScope(pinned: boolean): void;
  /** What the next question is about; undefined: nothing but itself. */
  setSelection(selection: Selection | undefined): void;
}

/**
 * What the next question is about and where it looks, each with the way to take it back. The keyboard goes on to the
 * input (`done`) from a chip that goes.
 */
export function contextChips(state: PanelState, given: ChipPorts, done: () => void): TemplateResult {
  const ports: ChipPorts = {
    ...given,
    setScope: (scope) => {
      given.setScope(scope);
      done();
    },
    setSelection: (selection) => {
      given.setSelection(selection);
      done();
    },
  };
  return html`${selectionChip(state, ports)}${scopeChips(state.scope, ports)}${pinButton(state, ports)}${activeFileChip(state, ports)}`;
}

/** The file in the editor, one click from being where the next question looks, unless it is about that file already. */
function activeFileChip(
  { activeFile, scope, selection }: PanelState,
  ports: ChipPorts,
): TemplateResult | typeof nothing {
  if (activeFile === undefined || scope.kind === 'folder' || selection?.path === activeFile) return nothing;
  const paths = scope.kind === 'files' ? scope.paths : [];
  if (paths.includes(activeFile) || paths.length >= MOST_FILE_CHIPS) return nothing;
  return html`<button
    class="chip offered"
    type="button"
    title=${activeFile}
    aria-label=${paths.length === 0 ? t('Look in {0} alone', activeFile) : t('Look in {0}, too', activeFile)}
    @click=${() => ports.setScope({ kind: 'files', paths: [...paths, activeFile] })}
  >
    ${codicon('add')}<span class="chip-name">${baseName(activeFile)}</span>
  </button>`;
}

function selectionChip({ selection }: PanelState, ports: ChipPorts): TemplateResult | typeof nothing {
  if (!selection) return nothing;
  return html`<span class="chip" title=${selectionTitle(selection)}
    >${codicon(selectionIcon(selection))}
    <span class="chip-name"><bdi>${selectionLabel(selection)}</bdi></span>
    ${removeButton(selection.symbol ? t('Ask without {0}', selection.text) : t('Ask without the selection'), () => ports.setSelection(undefined))}</span
  >`;
}

/** Only where there is something to keep. */
function pinButton({ scope, scopePinned }: PanelState, ports: ChipPorts): TemplateResult | typeof nothing {
  if (scope.kind === 'workspace') return nothing;
  const title = scopePinned
    ? t('Kept for other threads. Click to forget it with this one.')
    : t('Keep for other threads');
  return html`<button
    class="chip-pin"
    type="button"
    title=${title}
    aria-label=${t('Keep for other threads')}
    aria-pressed=${scopePinned ? 'true' : 'false'}
    @click=${() => ports.pinScope(!scopePinned)}
  >
    ${codicon(scopePinned ? 'pinned' : 'pin')}
  </button>`;
}

function scopeChips(scope: Scope, ports: ChipPorts): TemplateResult {
  const pick = (): void => ports.post({ type: 'pick-scope' });
  if (scope.kind === 'workspace') {
    return html`<button class="chip" type="button" title=${t('Where to look')} @click=${pick}>
      ${codicon('root-folder')}<span>${t('Workspace')}</span>
    </button>`;
  }
  const paths = scope.kind === 'folder' ? [scope.path] : scope.paths;
  if (paths.length > MOST_FILE_CHIPS) return manyFilesChip(paths, ports, pick);
  const without = (path: string): Scope => {
    const rest = paths.filter((other) => other !== path);
    return rest.length === 0 ? { kind: 'workspace' } : { kind: 'files', paths: rest };
  };
  return html`${paths.map(
    (path) =>
      html`<span class="chip" title=${path}
        >${codicon(scope.kind === 'folder' ? 'folder' : 'file')}
        <button class="chip-name" type="button" @click=${pick}>${baseName(path)}</button>
        ${removeButton(t('Remove {0} from the scope', path), () => ports.setScope(without(path)))}</span
      >`,
  )}`;
}

function manyFilesChip(paths: readonly string[], ports: ChipPorts, pick: () => void): TemplateResult {
  const title = [...paths.slice(0, PATHS_IN_TITLE), ...(paths.length > PATHS_IN_TITLE ? ['…'] : [])].join('\n');
  return html`<span class="chip" title=${title}
    >${codicon('files')}
    <button class="chip-name" type="button" @click=${pick}>${t('{0} files', count(paths.length))}</button>
    ${removeButton(t('Look in the whole workspace'), () => ports.setScope({ kind: 'workspace' }))}</span
  >`;
}

function removeButton(label: string, remove: () => void): TemplateResult {
  return html`<button class="chip-remove" type="button" aria-label=${label} @click=${remove}>
    ${codicon('close')}
  </button>`;
}
