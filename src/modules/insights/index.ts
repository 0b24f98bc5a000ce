export { getInsights } from './get.ts';
