import { EVENT_COLUMNS } from '../../event-store/projections.ts';
import { StoredEvent } from './model.ts';

export const SHOWN = EVENT_COLUMNS.filter(({ field }) => field in StoredEvent.properties);

/** With the order of receipt. */
export const COLUMNS = [...SHOWN.map(({ name }) => name), 'arrival', 'batch_index'];
