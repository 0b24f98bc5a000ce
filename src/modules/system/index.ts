export { type Readiness, watchReadiness } from './readiness.ts';
export { WorkNotes } from './work.ts';
