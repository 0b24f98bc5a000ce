import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { sql } = service.deps;

/** What the service writes by itself: no change of somebody's that another table does not show. */
const NOT_OF_PEOPLE = new Set(
  `analytics_days analytics_packs alerts audit_entries backups installation schedule_turns
auth.session auth.verification auth.used_code barred_addresses provider_limits
digest_posts digests message_bundles message_posts messages outbox outgoing_calls
event_alias_counts event_catalogue event_deleted_apps event_erasures event_file_apps event_files
event_hosts event_import_adopted event_import_chunks event_import_repeats event_ingestion_hours
event_key_runs event_leases event_names event_people event_property_columns event_property_uses
event_rejections event_segments event_sums event_undone_imports imported_files
exchange_rate_imports exchange_rates flag_asks flag_sets flag_versions segment_uses
google_play_files google_play_packages google_play_rows
iceberg_namespace_properties iceberg_tables lake_changes lake_exposures lake_files lake_manifests
lake_publisher lake_snapshots lake_tables log_expiry log_facets logs preview_runners schema_migrations
play_purchases purchase_audit purchase_chains purchase_folds purchase_forwards
purchase_grant_audit purchase_import_rows purchase_links purchase_notification_apps
purchase_notifications purchase_period_lengths purchase_recoveries purchase_refund_requests
purchase_renewals purchase_transactions store_certificate_chains store_days store_facts
social_profiles store_key_slots store_products store_releases store_report_days
store_report_errors store_report_facts store_report_instances store_review_checks store_reviews
store_subscription_days store_subscriptions store_syncs store_webhook_deliveries
watch_checks watch_looks webhook_attempts webhook_deliveries work_kinds`.split(/\s+/),
);

test('every table is audited, or is none that people change', async () => {
  const rows = await sql<{ name: string; isAudited: boolean }[]>`
    SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname AS name,
      EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'audit_change')
        AS "isAudited"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND n.nspname NOT IN ('information_schema', 'pg_catalog', 'pg_toast')`;
  const undecided = rows.filter(({ name, isAudited }) => isAudited === NOT_OF_PEOPLE.has(name));
  expect(undecided).toEqual([]);
  expect([...NOT_OF_PEOPLE].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});

test('an experiment of flags is audited from its beginning to its end', async () => {
  const { orgId, key } = await createTestOrg(service);
  const { appId } = await createTestApp(service, orgId);
  const base = `/v1/apps/${appId}/experiments`;
  const arms = ['off', 'on'].map((name) => ({ name, weight: 1 }));
  const made = await service.call(base, { headers: key, body: { name: 'Checkout', arms } });
  expect(made.status).toBe(201);
  const path = `${base}/${made.body.id}`;
  const change = async (body: object) =>
    expect((await service.call(path, { method: 'PATCH', headers: key, body })).status).toBe(200);
  await change({ name: 'Checkout, again' });
  await change({ status: 'running' });
  await change({ status: 'stopped' });
  expect((await service.call(path, { method: 'DELETE', headers: key })).status).toBe(204);
  const { body } = await service.call('/v1/audit?of=flag_experiments', { headers: key });
  const shown = body.entries.map(({ operation, changes }: Record<string, unknown>) => [
    operation,
    changes,
  ]);
  const changed = (before: unknown, after: unknown) => [
    expect.objectContaining({ of: 'flag_experiments', before, after }),
  ];
  const like = expect.objectContaining;
  expect(shown).toEqual([
    ['deleteExperiment', changed(like({ name: 'Checkout, again' }), null)],
    ['updateExperiment', changed(like({ status: 'running' }), like({ status: 'stopped' }))],
    ['updateExperiment', changed(like({ status: 'draft' }), like({ status: 'running' }))],
    ['updateExperiment', changed({ name: 'Checkout' }, { name: 'Checkout, again' })],
    ['createExperiment', changed(null, like({ status: 'draft' }))],
  ]);
});
