export { dispatch, dispatchSoon } from './dispatch.ts';
export { enqueue } from './enqueue.ts';
export type { OutboxRun } from './queries.ts';
export { sweepForever } from './sweep.ts';
