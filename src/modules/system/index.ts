export { type Readiness, watchReadiness } from './readiness.ts';
export { noteLacks, WorkNotes } from './work.ts';
