export { RAISABLE_LIMITS, setLimit } from './limits.ts';
export { setRetention } from './retention.ts';
