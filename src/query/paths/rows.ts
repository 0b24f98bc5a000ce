import { instantLiteral, textLiteral } from '../../storage/duckdb-literal.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import { inSession, SESSION_COLUMNS, withSessions } from '../reading/duckdb/sessions.ts';
import { selectEvents } from '../reading/events.ts';
import type { QueryRun } from '../reading/run.ts';
import { allSql } from '../selection/condition-sql.ts';
import { conditionsOfEvents } from '../selection/selection.ts';
import { PATH_STEPS, type PathsQuestion } from './model.ts';

export const STEPS = Array.from({ length: PATH_STEPS }, (_, index) => index + 1);

/** Sessions of others have no path. */
function ofPeopleWhoDid(run: QueryRun, { name, filters, fromUs, beforeUs }: PathsQuestion): string {
  const { condition, columns } = allSql(conditionsOfEvents({ filters }));
  const own = selectEvents(run.source, { names: [name], filters, fromUs, beforeUs });
  const isMeant = `name = ${textLiteral(name)}${condition === null ? '' : ` AND (${condition})`}`;
  const events = eventRelation(run, ['name', ...SESSION_COLUMNS, ...columns], 'key');
  return `(SELECT *, coalesce(${isMeant}, false) AS is_meant FROM ${events}
    SEMI JOIN (SELECT DISTINCT person FROM ${eventRelation(own, [], 'key')}) USING (person))`;
}

/**
 * A row a session that has the event in the window: `person` and `s1`, `s2`, `s3`, the names that
 * come directly after or before its first such event; null where the session has no more.
 */
export function pathRowsSql(run: QueryRun, question: PathsQuestion): string {
  const { direction, fromUs, beforeUs } = question;
  const beside = direction === 'after' ? 'lead' : 'lag';
  const steps = STEPS.map((step) => `, ${beside}(name, ${step}) OVER session AS s${step}`).join('');
  return `SELECT person${STEPS.map((step) => `, s${step}`).join('')} FROM (
      SELECT person, is_meant, occurred_at, row_number() OVER (${inSession('is_meant')}) AS nth${steps}
      FROM ${withSessions(ofPeopleWhoDid(run, question))}
      WINDOW session AS (${inSession()}))
    WHERE is_meant AND nth = 1
      AND occurred_at >= ${instantLiteral(fromUs)} AND occurred_at < ${instantLiteral(beforeUs)}`;
}
