import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';

/** A session without an id ends after this long without an event. */
export const SESSION_GAP_US = 30 * MINUTE_MS * 1_000;
/** Margin read of a session before and after a window. */
export const SESSION_MARGIN_US = DAY_MS * 1_000;

export const SESSION_COLUMNS = ['session_id', 'occurred_at', 'batch_index', 'arrival'];
