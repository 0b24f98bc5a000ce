import { type EventSelection, named } from '../../selection/selection.ts';
import { type Events, selectEvents } from '../source/events.ts';
import { SESSION_COLUMNS, SESSION_GAP_US } from '../source/session.ts';
import { eventRelation } from './relation.ts';

/** Events at one instant: the order within the batch, then arrival. */
const IN_ORDER = 'ORDER BY occurred_at, batch_index, arrival';

export const inSession = (by?: string): string =>
  `PARTITION BY person, session_id, part${by ? `, ${by}` : ''} ${IN_ORDER}`;

/** A session counts where it has one of these events. */
type Meant = Pick<EventSelection, 'filters' | 'where'> & {
  names: readonly string[] | null;
  fromUs: number;
  beforeUs: number;
};

function ofSessionsWithAny({ source, ...events }: Events, meant: Meant): string {
  const { names, ...some } = meant;
  const own = selectEvents(source, { ...some, ...named(names) });
  const isAny = own.sql.others.length === 0;
  const isMeant = isAny ? 'true' : `coalesce((${own.sql.others.join(') AND (')}), false)`;
  const columns = ['name', ...SESSION_COLUMNS, ...own.sql.columns];
  const all = eventRelation({ source, ...events }, columns, 'key');
  const which = `SELECT DISTINCT person AS who, session_id AS which
    FROM ${eventRelation(own, ['session_id'], 'key')}`;
  const ofSome = ` JOIN (${which}) o
    ON person = who AND session_id IS NOT DISTINCT FROM which`;
  return `(SELECT e.*, ${isMeant} AS is_meant FROM ${all} e${isAny ? '' : ofSome})`;
}

export function sessionEvents(events: Events, meant: Meant): string {
  const alike = `PARTITION BY person, session_id ${IN_ORDER}`;
  const occurred = events.sql.dialect.sinceEpoch('occurred_at');
  const gap = `${occurred} - lag(${occurred}) OVER (${alike})`;
  const begins = `CASE WHEN session_id IS NULL AND ${gap} > ${SESSION_GAP_US} THEN 1 ELSE 0 END`;
  return `(SELECT *, sum(begins) OVER (${alike}) AS part
    FROM (SELECT *, ${begins} AS begins FROM ${ofSessionsWithAny(events, meant)}))`;
}
