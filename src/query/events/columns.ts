import { EVENT_COLUMNS } from '../../event-store/projections.ts';
import { StoredEvent } from './model.ts';

export const SHOWN = EVENT_COLUMNS.filter(({ field }) => field in StoredEvent.properties);

export const COLUMNS = [...SHOWN.map(({ name }) => name), 'arrival', 'batch_index'];
