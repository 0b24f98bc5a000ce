import { expect, test } from 'bun:test';
import { placesPage } from '../../../scripts/places.ts';
import { KEPT_OF_APP } from '../../../src/app/chapters.ts';
import { PLACES } from '../../../src/app/places.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();

/** Names of things, states, secrets of the service, figures: nothing that names a person. */
const NOTHING_OF_PEOPLE = new Set(
  `alerts: code
analytics_days: currency partial stamp vendor_number
analytics_packs: pack report_type vendor_number
app_limits: name
apps: backend_project_ref bundle_id display_name icon_url pinned_views region slug source status store_app_id store_state store_version timezone
audit_entries: actor_kind entry_id operation request_id
auth.account: accessToken id providerId refreshToken scope
auth.apikey: configId created_by id key metadata name permissions prefix referenceId start
auth.invitation: id organizationId role secret_hash status
auth.member: id organizationId role
auth.organization: id logo metadata name slug
auth.session: activeOrganizationId id provider_org_id provider_sid token
auth.twoFactor: id sealedRecoveryCodes
auth.used_code: code_hash
auth.verification: id
backend_projects: backend_project_id health name origin project_ref sealed_database_password url wanted_app_id
backups: backup_id error place state
demo_organizations: listener
digest_destinations: destination_id gone_reason kind
digest_posts: destination_id error state
digest_settings: timezone
digests: digest
event_erasures: erased_as
event_file_apps: counts file_id
event_files: file_id path projection state
event_hosts: adopter owner_id
event_import_adopted: import_id
event_import_chunks: import_id
event_import_repeats: by_import_id import_id
event_key_runs: import_id path run_id sections state
event_leases: lease_id
event_names: name sent_name wanted
event_property_columns: file_id path projection prop
event_property_uses: prop
event_rejections: reason
event_segments: segment_id
event_sums: fault path sums
event_undone_imports: import_id
exchange_rate_imports: source
exchange_rates: currency
experiment_overrides: arm_id experiment_id
experiments: arms experiment_id measurement name shipped status
flag_asks: flag_id key_id
flag_experiments: arms experiment_id layer measurement name shipped status
flag_versions: act by_id by_kind flag_id
flags: flag_id key
funnels: funnel_id
google_play_accounts: bucket client_email last_error private_key_id sealed_key status
google_play_files: bucket generation last_error month name read_generation report
google_play_packages: bucket package_name title
google_play_rows: bucket country customer_currency earnings_month name package_name proceeds_currency product_type report sku title
iceberg_namespace_properties: catalog_name namespace property_key property_value
iceberg_tables: catalog_name iceberg_type metadata_location previous_metadata_location table_name table_namespace
identity_links: issuer sealed_refresh_token
identity_providers: client_id domains groups_claim issuer role_without_group roles sealed_client_secret
imported_files: content_hash format import_id
installation: erased_since events_url
lake_changes: table_name
lake_exposures: event_path partition path
lake_files: manifest partition path table_name
lake_manifests: partitions path table_name
lake_snapshots: files manifest_list manifests summary table_name
lake_tables: base_uri definition metadata metadata_log source table_name
log_facets: env level service
logs: env level log_id service
mark_notes: author_id author_kind mark_id
message_bundles: bundle_id
message_posts: bundle_id destination_id error state
message_settings: quiet_hours
messages: bundle_id kind message_id
onboardings: config name onboarding_id
organization_deletions: name slug
organization_settings: currency
outbox: input last_error outbox_id summary workflow_id workflow_type
play_connections: client_email last_error package_name private_key_id push_email sealed_key status voids_error
play_purchases: acknowledge_error ask_error chain_id environment kind pending_order_id priced_orders replaces_hash token_hash
preview_runners: command
preview_sessions: error errors expo_url phase session_id web_url
provider_limits: provider
publishable_keys: environment key_id kind name prefix secret_hash
purchase_audit: action actor environment from_kind original_transaction_id to_kind
purchase_chains: digest environment history_error history_revision offering original_transaction_id renewal status_transaction_id store
purchase_connections: issuer_id key_id last_error sealed_key status
purchase_entitlements: name product_ids
purchase_extensions: asked_by environment original_transaction_id reason request_id
purchase_folds: environment fold lengths lengths_before original_transaction_id store
purchase_forwards: environment last_error notification_id state
purchase_grant_audit: action actor entitlement grant_id kind product_id
purchase_grants: end_reason entitlement grant_id granted_by kind product_id
purchase_import_rows: import_id original_transaction_id reason state
purchase_imports: import_id last_error
purchase_links: environment kind original_transaction_id
purchase_notices: environment external_purchase_id kind notice_id reason
purchase_notification_apps: environment notification_id type
purchase_notifications: bundle_id environment last_error notification_id store_app_id subtype type
purchase_offerings: chosen_by identifier offering
purchase_period_lengths: duration environment product_id
purchase_recoveries: environment last_error
purchase_refund_answers: answers products
purchase_refund_people: answers
purchase_refund_requests: answer environment last_error original_transaction_id outcome product_id product_type reason refund_token request_id state store transaction_id why
purchase_renewals: auto_renew_product_id content_hash currency environment offer_discount_type offer_identifier offer_period original_transaction_id product_id
purchase_settings: forward_url ownership sandbox_access sealed_forward_secret
purchase_transactions: billing_plan currency environment offer_discount_type offer_identifier offer_period original_transaction_id revocation_type storefront subscription_group transaction_id transaction_reason
saved_questions: owner_id owner_kind question_id
schedule_turns: name
schema_migrations: name
segment_uses: kind name segment_id used_by
segments: author_id author_kind segment_id
social_connections: display_name handle platform profile_image_url status
social_profiles: publisher_username
sql_queries: owner_id owner_kind query_id
store_apps: bundle_id icon_url name sku state store_app_id version
store_candidates: connection_id issuer_id key_id sealed_key team_id team_type vendor_number
store_certificate_chains: fingerprint intermediate last_error leaf state
store_connections: connection_id issuer_id key_id last_error sealed_key status team_id team_type vendor_number
store_days: content_hash last_error report_type state vendor_number
store_facts: country customer_currency device parent_sku parent_store_id proceeds_currency product_type report_type sku store_id title vendor_number
store_key_slots: holder key_id
store_products: group_id group_name kind name period product_id state store_app_id store_id
store_releases: platform store_app_id version
store_report_days: access report store_app_id
store_report_errors: access message report store_app_id
store_report_facts: grouping kind report source store_app_id territory version
store_report_instances: access last_error report state store_app_id
store_report_requests: access last_error request_id store_app_id
store_review_checks: last_error store_app_id
store_reviews: review_id store_app_id territory
store_subscription_days: content_hash last_error report_type state vendor_number
store_subscriptions: country customer_currency device duration group_id name offer_id offer_name plan proceeds_currency store_app_id subscription_id vendor_number
store_syncs: last_error stopped_because trials_error vendor_number versions
store_webhook_deliveries: delivery_id hook_id
store_webhooks: account_webhook_id hook_id last_error sealed_previous_secret sealed_secret store_app_id
watch_looks: look watch_id
watches: error figure owner_id owner_kind question_id state watch_id
webhook_attempts: delivery_id error
webhook_deliveries: delivery_id event_id event_type status webhook_id
webhooks: entitlements event_names events sealed_previous_secret sealed_secret url webhook_id
work_kinds: kind waits_for`
    .split('\n')
    .flatMap((line) => {
      const [table = '', names = ''] = line.trim().split(': ');
      return names.split(' ').map((name) => `${table}.${name}`);
    }),
);
/** In every table, and no word of anybody. */
const SCOPE = ['org_id', 'app_id'];

const columns = await sql<{ name: string; column: string }[]>`
  SELECT CASE WHEN c.table_schema = 'public' THEN c.table_name
    ELSE c.table_schema || '.' || c.table_name END || '.' || c.column_name AS name,
    c.column_name AS column
  FROM information_schema.columns c
  JOIN pg_class r ON r.relname = c.table_name AND r.relnamespace = c.table_schema::regnamespace
  WHERE c.table_schema IN ('public', 'auth') AND NOT r.relispartition AND r.relkind IN ('r', 'p')
    AND c.data_type IN ('text', 'ARRAY', 'jsonb', 'json', 'bytea', 'character varying')
  ORDER BY 1`;
const held = columns.filter(({ column }) => !SCOPE.includes(column)).map(({ name }) => name);
/** A row may name several tables. */
const placed = new Set(
  PLACES.flatMap(({ place, columns: names = [] }) =>
    place.split(', ').flatMap((table) => names.map((name) => `${table}.${name}`)),
  ),
);

test('each column that can hold a text is a place of people, or known to be none', () => {
  expect(held.filter((name) => !placed.has(name) && !NOTHING_OF_PEOPLE.has(name))).toEqual([]);
  expect([...NOTHING_OF_PEOPLE].filter((name) => placed.has(name))).toEqual([]);
  expect([...NOTHING_OF_PEOPLE].filter((name) => !held.includes(name))).toEqual([]);
});

const tablesWith = async (column: string) => {
  const rows = await sql<{ name: string }[]>`
    SELECT DISTINCT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = ${column}`;
  return new Set(rows.map(({ name }) => name));
};
/** A dash: nothing of an app's. */
const said = (act: 'appDeletion' | 'organizationDeletion') =>
  PLACES.flatMap((one) => one.place.split(', ').map((table) => [table, one[act]] as const)).filter(
    ([, becomes]) => becomes !== '–',
  );

test('what becomes of a table with its app and organization is what is deleted', async () => {
  const [ofApps, ofOrganizations] = [await tablesWith('app_id'), await tablesWith('org_id')];
  expect([...ofApps].filter((table) => !ofOrganizations.has(table))).toEqual([]);
  for (const [table, becomes] of said('appDeletion').filter(([table]) => ofApps.has(table))) {
    expect([table, becomes]).toEqual([table, KEPT_OF_APP[table] ?? 'deleted']);
  }
  const all = said('organizationDeletion').filter(([table]) => ofOrganizations.has(table));
  for (const [table, becomes] of all.filter(([table]) => table !== 'organization_deletions')) {
    expect([table, becomes]).toEqual([table, 'deleted']);
  }
});

test('each column of a place is there', () => {
  const all = new Set(held);
  const of = ({ place, columns: names = [] }: (typeof PLACES)[number]) =>
    names.filter((name) => !place.split(', ').some((table) => all.has(`${table}.${name}`)));
  expect(PLACES.flatMap((one) => of(one).map((name) => [one.place, name]))).toEqual([]);
});

test('docs/places.md is the page that scripts/places.ts prints', async () => {
  const committed = await Bun.file(new URL('../../../docs/places.md', import.meta.url)).text();
  expect(committed).toBe(placesPage());
});
