export { type Readiness, watchReadiness } from './readiness.ts';
