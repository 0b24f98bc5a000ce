export { MAX_WINDOW_DAYS } from './parameters.ts';
export { RETENTION_INTERVALS, RetentionReport } from './retention.model.ts';
export { retentionReport } from './retention.ts';
export { EventSeries } from './series.model.ts';
export { countedSeries, type WindowedSeries } from './series.ts';
