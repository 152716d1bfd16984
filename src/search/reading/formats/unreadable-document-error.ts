import { HoptrailError } from '#base';

/** A document whose text cannot be taken out: encrypted, damaged, or pictures only. */
export class UnreadableDocumentError extends HoptrailError {
  readonly code = 'unreadable-document';
}
