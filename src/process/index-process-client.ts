import type { IndexProcess } from '../engine.ts';
export type { IndexProcess };
