export { eventsChapter } from './chapter.ts';
export { AHEAD_MS, daysBack } from './days-back.ts';
export { FilterParameters, filtersOf } from './filters.ts';
export { RecentEvent } from './read.model.ts';
export { readIngestion, summariseEvents, toRecentEvent } from './read.ts';
