import type { Sql } from '../../src/storage/postgres.ts';
import { addRejections } from '../../src/event-store/intake/queries.ts';
import { until } from './until.ts';

type Counting = {
  sql: Sql;
  events: { rejections: { take: () => Parameters<typeof addRejections>[1] } };
};

/** The service stores what it counted every few seconds, and may be about to. */
export function untilRefused({ sql, events }: Counting, appId: string, reason: string) {
  return until(`${reason} is counted`, async () => {
    await addRejections(sql, events.rejections.take());
    const [row] = await sql`
      SELECT 1 FROM event_rejections WHERE app_id = ${appId} AND reason = ${reason}`;
    return row;
  });
}
