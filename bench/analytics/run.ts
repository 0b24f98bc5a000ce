import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { getAnalytics } from '../../src/modules/sales/analytics/get.ts';
import {
  insertCandidate,
  promoteCandidate,
} from '../../src/modules/sales/collection/connection-queries.ts';
import { addDays, pacificDay } from '../../src/shared/pacific.ts';
import { median, medianTime, print, printRatio, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';

const DAYS = 400;
const ROWS_PER_DAY = 2_500;
const ORG = 'bench';
const VENDOR = '80012345';
/** Within the pinned exchange rates. */
const NOW = new Date('2026-07-15T18:00:00Z');
const ROUNDS = 9;
const NEVER_ASKED = ['EUR', 'JPY', 'GBP', 'CHF', 'CAD', 'AUD', 'SEK', 'BRL', 'MXN'];

/** A million believable rows, made in the database. */
async function fill({ sql }: Deps): Promise<void> {
  const yesterday = addDays(pacificDay(NOW), -1);
  await sql`
    INSERT INTO store_facts (org_id, vendor_number, day, report_type, line, store_id, sku, parent_sku,
      title, product_type, country, device, units, bundle_credit, trials, proceeds,
      proceeds_currency, customer_spend, customer_currency)
    SELECT ${ORG}, ${VENDOR}, ${yesterday}::date - day, 'SALES', line, (1000 + line % 40)::text,
      'sku' || line % 40, 'APP' || line % 8, 'Product ' || line % 40,
      (ARRAY['1F','3F','7F','IA1','IAY'])[1 + line % 5],
      (ARRAY['US','DE','JP','GB','FR','BR','IN','KR','CA','AU','MX','SE','CH','CL'])[1 + line % 14],
      (ARRAY['iPhone','iPad','Desktop'])[1 + line % 3], 1 + (line * 7 + day) % 5, false, 0,
      ((line * 31 + day * 17) % 5000)::numeric / 100,
      (ARRAY['USD','EUR','JPY','GBP','EUR','BRL','INR','KRW','CAD','AUD','MXN','SEK','CHF','CLP'])[1 + line % 14],
      ((line * 37 + day * 13) % 7000)::numeric / 100, 'USD'
    FROM generate_series(0, ${DAYS - 1}) day, generate_series(1, ${ROWS_PER_DAY}) line`;
  await sql`
    INSERT INTO store_days (org_id, vendor_number, report_type, day, state, checked_at, rows,
      facts_revision)
    SELECT ${ORG}, ${VENDOR}, 'SALES', ${yesterday}::date - day, 'reported', ${NOW},
      ${ROWS_PER_DAY}, nextval('store_fact_revisions')
    FROM generate_series(0, ${DAYS - 1}) day`;
  await sql`
    INSERT INTO store_apps (org_id, store_app_id, name, bundle_id, sku)
    SELECT ${ORG}, (1 + n)::text, 'App ' || n, 'com.example.app' || n, 'APP' || n
    FROM generate_series(0, 7) n`;
  await insertCandidate(sql, {
    connectionId: 'con_bench',
    orgId: ORG,
    issuerId: 'issuer',
    keyId: 'KEY',
    vendorNumber: VENDOR,
    sealedKey: 'none',
    teamId: null,
    teamType: null,
    createdAt: NOW,
  });
  await promoteCandidate(sql, ORG, 'con_bench', NOW);
  await sql`VACUUM ANALYZE store_facts`;
}

/** The whole read model over 400 days and a million rows, beside one plain scan of the same rows. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps: Deps = { ...(await createDeps(loadConfig(env), 'api')), clock: () => NOW };
    await fill(deps);
    const ctx = { deps, requestId: 'bench', orgId: ORG, actor: { kind: 'system' } } as const;
    const read = (currency: string) => getAnalytics(ctx, { days: DAYS, currency });
    const scan = () => deps.sql`
      SELECT count(*), sum(units), sum(proceeds), sum(customer_spend) FROM store_facts
      WHERE org_id = ${ORG} AND vendor_number = ${VENDOR}`;
    await scan();
    // What the collector does day by day.
    const packing = await timed(() => read('USD'));
    const firstReads: number[] = [];
    const scans: number[] = [];
    for (const currency of NEVER_ASKED) {
      firstReads.push(await timed(() => read(currency)));
      scans.push(await timed(scan));
    }
    const again = await medianTime(ROUNDS, () => read('JPY'));
    const [first, plain] = [median(firstReads), median(scans)];
    const total = DAYS * ROWS_PER_DAY;
    print({ label: `plain scan of ${total} rows`, value: `${plain.toFixed(0)} ms` });
    print({
      label: 'packing every day (done when days are collected)',
      value: `${packing.toFixed(0)} ms`,
    });
    print({ label: 'first read of 400 days in a currency', value: `${first.toFixed(0)} ms` });
    print({ label: 'the same read again', value: `${again.toFixed(0)} ms` });
    printRatio('first read beside the scan', first / plain, '≤ 3');
    printRatio('first read beside 1.5 s', first / 1_500, '≤ 1');
    await deps.close();
  });
}
