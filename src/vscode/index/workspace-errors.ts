import { HoptrailError } from '#base';

/** There is nothing to index: no folder is open. */
export class NoFolderError extends HoptrailError {
  readonly code = 'no-folder';
}

/** The open folders are not on a disk that the extension can read. */
export class VirtualWorkspaceError extends HoptrailError {
  readonly code = 'virtual-workspace';
}
