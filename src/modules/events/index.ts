export { AHEAD_MS, daysBack } from './days-back.ts';
export { readIngestion } from './ingestion.ts';
export { RecentEvent } from './read.model.ts';
export { toRecentEvent } from './recent.ts';
export { summariseEvents } from './summary.ts';
