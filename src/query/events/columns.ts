import { EVENT_COLUMNS } from '../../event-store/projections.ts';
import { LAST_KNOWN, StoredEvent } from './model.ts';

export const SHOWN = EVENT_COLUMNS.filter(({ field }) => field in StoredEvent.properties);

export const COLUMNS = [...SHOWN.map(({ name }) => name), 'arrival', 'batch_index'];

export const LAST_SHOWN = SHOWN.filter(({ field }) => LAST_KNOWN.some((one) => one === field));

export const SEARCHED = ['occurred_at', 'anonymous_id', ...LAST_SHOWN.map(({ name }) => name)];
