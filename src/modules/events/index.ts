import type { Chapter } from '../../chapter.ts';
import { deleteAppEvents, EXAMPLES_OF_PERSON } from '../../event-store/people.ts';

export {
  type Beginning,
  coversMost,
  firstEventMs,
  forecastFor,
  NOTHING_TO_COMPARE,
} from './begins.ts';
export { openCountries } from './countries.ts';
export { AHEAD_MS, daysBack, endOfStep } from './days-back.ts';
export { toFilters } from './read.ts';
export { IMPORT_FORMATS } from './imports/formats.ts';
export { importEventsFile } from './imports/import-file.ts';
export { previewEventsFile } from './imports/preview-file.ts';
export { parseRenames } from './imports/renames.ts';
export { createEventNames } from './names/event-names.ts';
export { type Named as QueriedName, neverSentHint } from './never-sent.ts';
export { FilterParameters, RecentEvent } from './read.model.ts';
export { readIngestion, summariseEvents, toRecentEvent } from './read.ts';

export const eventsChapter: Chapter = {
  name: 'events',

  tables: [
    'event_deleted_apps',
    'event_erasures',
    'event_alias_counts',
    'event_file_apps',
    'event_files',
    'event_import_adopted',
    'event_import_chunks',
    'event_import_repeats',
    'event_ingestion_hours',
    'event_leases',
    'event_names',
    'event_people',
    'event_property_columns',
    'event_property_uses',
    'event_rejections',
    'event_undone_imports',
    'imported_files',
  ],
  people: [EXAMPLES_OF_PERSON],
  cleanup: { name: 'events', run: ({ deps }, app) => deleteAppEvents(deps.sql, app) },
};
