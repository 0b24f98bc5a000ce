import { expect, test } from 'bun:test';
import {
  type PendingDelivery,
  selectPendingDeliveries,
} from '../../../src/modules/webhooks/deliveries-queries.ts';
import { Round } from '../../../src/shared/round.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();

test('every pending delivery is looked after, also of one moment and whatever stays pending', async () => {
  await sql`
    INSERT INTO webhooks (webhook_id, org_id, url, events, sealed_secret, created_at)
    VALUES ('hook', 'org', 'https://example.com', '{}', 'sealed', now())`;
  await sql`
    INSERT INTO webhook_deliveries
      (delivery_id, org_id, webhook_id, event_type, body, status, created_at, attempt_due_at)
    SELECT 'delivery-' || lpad(i::text, 3, '0'), 'org', 'hook', 'test', '{}', 'pending',
      timestamptz '2026-01-01' + (i / 4) * interval '1 microsecond', now()
    FROM generate_series(0, 24) AS i`;
  const round = new Round<PendingDelivery>(10);
  const seen: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const part = await round.next((after, limit) => selectPendingDeliveries(sql, { after, limit }));
    seen.push(...part.map(({ deliveryId }) => deliveryId));
  }
  const all = Array.from({ length: 25 }, (_, i) => `delivery-${String(i).padStart(3, '0')}`);
  expect(seen).toEqual(all);
});
