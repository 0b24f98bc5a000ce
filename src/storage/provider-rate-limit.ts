import type { ProviderRateLimit } from '../shared/provider-rate-limit.ts';
import type { Clock } from '../shared/time.ts';
import type { Sql } from './postgres.ts';

/** By the database's time unless given a clock. */
export function createProviderRateLimit(sql: Sql, clock?: Clock): ProviderRateLimit {
  const now = () => (clock ? sql`${clock()}::timestamptz` : sql`now()`);
  return {
    take: async (provider) => {
      const [row] = await sql<{ remaining: number; wait: number }[]>`
        UPDATE provider_limits SET remaining = greatest(remaining - 1, -1)
        WHERE provider = ${provider} AND reset_at > ${now()}
        RETURNING remaining, ceil(extract(epoch FROM reset_at - ${now()}))::int AS wait`;
      return row && row.remaining < 0 ? Math.max(1, row.wait) : null;
    },
    note: async (provider, { remaining, resetInSeconds }) => {
      // Responses arrive out of order; the lower count is later.
      await sql`
        INSERT INTO provider_limits AS known (provider, remaining, reset_at)
        VALUES (${provider}, ${remaining}, ${now()} + make_interval(secs => ${resetInSeconds}))
        ON CONFLICT (provider) DO UPDATE SET
          remaining = CASE WHEN known.reset_at > ${now()}
            THEN least(known.remaining, EXCLUDED.remaining) ELSE EXCLUDED.remaining END,
          reset_at = CASE WHEN known.reset_at > ${now()} AND known.remaining <= EXCLUDED.remaining
            THEN known.reset_at ELSE EXCLUDED.reset_at END`;
    },
  };
}
