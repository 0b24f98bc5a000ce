export type { ErasureStep } from './erase.ts';
