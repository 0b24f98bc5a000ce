import { instantLiteral } from '../../storage/duckdb-literal.ts';
import { inSession, sessionEvents } from '../reading/duckdb/sessions.ts';
import type { Events } from '../reading/source/events.ts';
import { PATH_STEPS, type PathsQuestion } from './model.ts';

export const STEPS = Array.from({ length: PATH_STEPS }, (_, index) => index + 1);

/** Null where the session ends. */
export function pathRowsSql(events: Events, question: PathsQuestion): string {
  const { direction, fromUs, beforeUs } = question;
  const beside = direction === 'after' ? 'lead' : 'lag';
  const steps = STEPS.map((step) => `, ${beside}(name, ${step}) OVER session AS s${step}`).join('');
  return `SELECT person${STEPS.map((step) => `, s${step}`).join('')} FROM (
      SELECT person, is_meant, occurred_at,
        row_number() OVER (${inSession('is_meant')}) AS nth${steps}
      FROM ${sessionEvents(events, question)}
      WINDOW session AS (${inSession()}))
    WHERE is_meant AND nth = 1
      AND occurred_at >= ${instantLiteral(fromUs)} AND occurred_at < ${instantLiteral(beforeUs)}`;
}
