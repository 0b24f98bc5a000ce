import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { OCCURRED_US } from './buckets.ts';

/** A session without an id ends after this long without an event. */
export const SESSION_GAP_US = 30 * MINUTE_MS * 1_000;
/** What is read of a session before and after a window. */
export const SESSION_MARGIN_US = DAY_MS * 1_000;

export const SESSION_COLUMNS = ['session_id', 'occurred_at', 'batch_index', 'arrival'];

/** Events at one instant: the order within the batch, then arrival. */
const IN_ORDER = 'ORDER BY occurred_at, batch_index, arrival';

/** Window of the events of one session, apart by a further column. */
export const inSession = (by?: string): string =>
  `PARTITION BY person, session_id, part${by ? `, ${by}` : ''} ${IN_ORDER}`;

/** Events with `part`, the number of the session among those of a person without an id. */
export function withSessions(events: string): string {
  const alike = `PARTITION BY person, session_id ${IN_ORDER}`;
  const gap = `${OCCURRED_US} - lag(${OCCURRED_US}) OVER (${alike})`;
  const begins = `(session_id IS NULL AND coalesce(${gap} > ${SESSION_GAP_US}, false))::INTEGER`;
  return `(SELECT *, sum(begins) OVER (${alike}) AS part
    FROM (SELECT *, ${begins} AS begins FROM ${events}))`;
}
