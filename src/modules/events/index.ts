export { eventsChapter } from './chapter.ts';
export { AHEAD_MS, daysBack, endOfStep } from './days-back.ts';
export { FilterParameters, filtersOf } from './filters.ts';
export { IMPORT_FORMATS } from './imports/formats.ts';
export { importEventsFile } from './imports/import-file.ts';
export { type Named as NamedInQuestion, neverSentHint } from './never-sent.ts';
export { RecentEvent } from './read.model.ts';
export { readIngestion, summariseEvents, toRecentEvent } from './read.ts';
