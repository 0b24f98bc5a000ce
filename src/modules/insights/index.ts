export { checkAlerts } from './check-alerts.ts';
export { getInsights } from './get.ts';
export type { Recommendation } from './model.ts';
