export { setRetention } from './set-retention.ts';
