import type { AppScope } from '../../shared/app.ts';
import type { Db, Fragment } from '../../storage/postgres.ts';

/** One by one: without statistics PostgreSQL would compare each with each. */
export const isUserOfOther = (sql: Db, { orgId, appId }: AppScope, id: Fragment): Fragment => sql`
  EXISTS (SELECT FROM event_people u WHERE u.org_id = ${orgId} AND u.app_id = ${appId}
    AND u.user_id = ${id} AND u.anonymous_id <> u.user_id OFFSET 0)`;
