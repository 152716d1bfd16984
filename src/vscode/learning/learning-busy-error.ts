import { HoptrailError } from '../../model/error-report.ts';

/** What was learnt cannot be changed: a round of learning, or another change of it, is under way in this window. */
export class LearningBusyError extends HoptrailError {
  readonly code = 'learning-busy';
}
