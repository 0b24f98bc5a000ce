import { EVENT_COLUMNS } from '../../event-store/append.ts';
import { STORES } from '../../shared/stores.ts';

export type Column = { name: string; type: string; meaning: string };
export type View = { name: string; meaning: string; columns: readonly Column[] };

const column = (name: string, type: string, meaning: string): Column => ({ name, type, meaning });

type EventColumnName = (typeof EVENT_COLUMNS)[number]['name'];

const EVENT_MEANINGS: Readonly<Record<EventColumnName, string>> = {
  org_id: 'The organization',
  app_id: 'The app',
  event_key: 'Deduplication key; null when the event has none',
  name: "Name of the event; those that begin with $ are the service's own",
  occurred_at: 'When it occurred, corrected for wrong clocks',
  received_at: 'When the service received it',
  arrival: 'Order of receipt, growing with every batch',
  batch_index: 'Place in its batch',
  person_id: 'The person as known now: a user id, else an anonymous id; null for nobody',
  anonymous_id: 'The id that the device generated',
  user_id: 'The user id as sent, or null',
  session_id: 'The session as sent, or null',
  client_ts: 'The time as sent, or null',
  time_flag: 'shifted, no_ts, too_old, or null when the time was right',
  platform: 'ios, android, web or other',
  app_version: 'Version of the app',
  os_version: 'Version of the system',
  locale: 'Locale of the device',
  country: 'Two letters in upper case, as the client said or of its address',
  props: "Text of a JSON object: props->>'plan'",
  event_id: "The client's id of the event",
  environment: 'production or development; figures count production',
};

const PERSON = 'The person who holds it, as known now; null for nobody';
const STORE_ENVIRONMENT = 'Production or Sandbox; figures count Production';

export const VIEWS = {
  events: {
    name: 'events',
    meaning: 'One row per event, of development too. Erased people and deleted apps are left out.',
    columns: EVENT_COLUMNS.map(({ name, type }) => column(name, type, EVENT_MEANINGS[name])),
  },
  people: {
    name: 'people',
    meaning: 'One row per person of an app, from their production events.',
    columns: [
      column('app_id', 'VARCHAR', 'The app'),
      column('person_id', 'VARCHAR', 'The person as known now'),
      column('is_user', 'BOOLEAN', 'Whether any event named a user'),
      column('first_at', 'TIMESTAMPTZ', 'Their first event'),
      column('last_at', 'TIMESTAMPTZ', 'Their last event'),
      column('events', 'BIGINT', "Their events, without the service's own"),
      column('platform', 'VARCHAR', 'Of the last event'),
      column('app_version', 'VARCHAR', 'Of the last event'),
      column('country', 'VARCHAR', 'Of the last event'),
    ],
  },
  exposures: {
    name: 'exposures',
    meaning: 'One row per person and arm of an experiment, in production: when they saw it first.',
    columns: [
      column('app_id', 'VARCHAR', 'The app'),
      column('experiment_id', 'VARCHAR', 'The experiment'),
      column('arm_id', 'VARCHAR', 'The arm; a person with several arms counts in none'),
      column('person_id', 'VARCHAR', 'The person as known now'),
      column('exposed_at', 'TIMESTAMPTZ', 'When the service showed it first'),
    ],
  },
  sales: {
    name: 'sales',
    meaning: 'One row per line of the daily reports of the connected store accounts.',
    columns: [
      column('day', 'DATE', 'Pacific day of the report; of UTC in Google Play'),
      column(
        'report_type',
        'VARCHAR',
        'SALES, SUBSCRIPTION_EVENT for trials, EARNINGS and INSTALLS of Google Play',
      ),
      column('app_id', 'VARCHAR', 'The app that its store app is linked to, or null'),
      column('store_app_id', 'VARCHAR', 'The app of the store account, or null'),
      column('store_id', 'VARCHAR', "The store's id of what was sold"),
      column('sku', 'VARCHAR', 'SKU of what was sold'),
      column('title', 'VARCHAR', 'Title as the report names it'),
      column(
        'product_type',
        'VARCHAR',
        "The store's product type: 1F a download, IAY a subscription",
      ),
      column('country', 'VARCHAR', 'Storefront, two letters'),
      column('device', 'VARCHAR', 'Device as the report names it'),
      column('units', 'DECIMAL(18,2)', 'Units; negative for refunds and for credits of bundles'),
      column('is_bundle_credit', 'BOOLEAN', 'Reverses a sale that a completed bundle replaces'),
      column('trials', 'BIGINT', 'Free trials that began'),
      column('proceeds', 'DECIMAL(38,6)', "The publisher's share of all units"),
      column('proceeds_currency', 'VARCHAR', 'Currency of proceeds'),
      column('customer_spend', 'DECIMAL(38,6)', 'What customers paid for all units'),
      column('customer_currency', 'VARCHAR', 'Currency of customer_spend'),
      column('store', 'VARCHAR', STORES.join(' or ')),
    ],
  },
  purchases: {
    name: 'purchases',
    meaning: 'One row per transaction that the store signed.',
    columns: [
      column('app_id', 'VARCHAR', 'The app'),
      column('environment', 'VARCHAR', STORE_ENVIRONMENT),
      column('transaction_id', 'VARCHAR', 'The transaction'),
      column('original_transaction_id', 'VARCHAR', 'Its chain'),
      column('person_id', 'VARCHAR', PERSON),
      column('product_id', 'VARCHAR', 'The product'),
      column(
        'type',
        'VARCHAR',
        'subscription, non_consumable, non_renewing, consumable or unknown',
      ),
      column('purchased_at', 'TIMESTAMPTZ', 'When it was bought'),
      column('expires_at', 'TIMESTAMPTZ', 'When the period ends; null if it does not'),
      column(
        'revoked_at',
        'TIMESTAMPTZ',
        'When the store took it back, also for an upgrade, or null',
      ),
      column('is_trial', 'BOOLEAN', 'Whether it is a free trial'),
      column('ownership', 'VARCHAR', 'purchased or family_shared'),
      column('price', 'DECIMAL(18,3)', "The customer's price; null where the store did not say"),
      column('currency', 'VARCHAR', 'Currency of price'),
      column('storefront', 'VARCHAR', 'Storefront, three letters'),
      column('reason', 'VARCHAR', 'PURCHASE or RENEWAL'),
      column('offer_type', 'BIGINT', '1 introductory, 2 promotional, 3 code, 4 win-back, or null'),
      column('refunded_at', 'TIMESTAMPTZ', 'When its money was given back; never by an upgrade'),
    ],
  },
  subscriptions: {
    name: 'subscriptions',
    meaning: 'One row per chain of an auto-renewable subscription, as it is now.',
    columns: [
      column('app_id', 'VARCHAR', 'The app'),
      column('environment', 'VARCHAR', STORE_ENVIRONMENT),
      column('original_transaction_id', 'VARCHAR', 'The chain'),
      column('person_id', 'VARCHAR', PERSON),
      column('product_id', 'VARCHAR', 'Product of the newest period'),
      column('started_at', 'TIMESTAMPTZ', 'When the first period began'),
      column('period_started_at', 'TIMESTAMPTZ', 'When the newest period began'),
      column('expires_at', 'TIMESTAMPTZ', 'When the newest period ends'),
      column('committed_until', 'TIMESTAMPTZ', 'End of a commitment billed by month, or null'),
      column('is_trial', 'BOOLEAN', 'Whether the newest period is a free trial'),
      column('will_renew', 'BOOLEAN', 'Whether auto-renew is on, or null'),
      column(
        'status',
        'VARCHAR',
        "The store's word: active, expired, billing_retry, billing_grace, revoked, or null",
      ),
      column('grace_expires_at', 'TIMESTAMPTZ', 'End of billing grace, or null'),
      column('trial_started_at', 'TIMESTAMPTZ', 'Start of the first free trial, or null'),
      column(
        'trial_converted_at',
        'TIMESTAMPTZ',
        'Start of the first paid period after it, or null',
      ),
      column('ownership', 'VARCHAR', 'purchased or family_shared'),
    ],
  },
  entitlements: {
    name: 'entitlements',
    meaning: 'One row per product that a name of an entitlement stands for.',
    columns: [
      column('app_id', 'VARCHAR', 'The app'),
      column('name', 'VARCHAR', 'What apps ask for, such as pro'),
      column('product_id', 'VARCHAR', 'A product that gives it'),
    ],
  },
  apps: {
    name: 'apps',
    meaning: 'One row an app that is not deleted.',
    columns: [
      column('app_id', 'VARCHAR', 'The app'),
      column('slug', 'VARCHAR', 'Its slug'),
      column('name', 'VARCHAR', 'Its display name'),
      column('status', 'VARCHAR', 'provisioning, active, paused or error'),
      column('bundle_id', 'VARCHAR', 'Bundle id of the linked store app, or null'),
      column('store_app_id', 'VARCHAR', 'The linked store app, or null'),
      column('created_at', 'TIMESTAMPTZ', 'When it was made'),
    ],
  },
} as const satisfies Record<string, View>;

export const VIEW_LIST: readonly View[] = Object.values(VIEWS);

export const tableSql = ({ columns }: View): string =>
  `(${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`;

function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(width(column))).join(' | '),
  );
  const rule = (rows[0] ?? []).map((_, column) => '-'.repeat(width(column))).join(' | ');
  return lines.toSpliced(1, 0, rule).map((line) => `| ${line} |`);
}

export function dataDictionary(): string {
  const sections = VIEW_LIST.map(({ name, meaning, columns }) =>
    [
      `## ${name}`,
      '',
      meaning,
      '',
      ...markdownTable([
        ['column', 'type', 'meaning'],
        ...columns.map((one) => [`\`${one.name}\``, one.type, one.meaning]),
      ]),
    ].join('\n'),
  );
  return [
    '# Data dictionary',
    '',
    'The views of `bun run analyst`, of the SQL that it prints for any DuckDB, and of the files that it exports; written by `bun scripts/dictionary.ts > docs/data-dictionary.md`. All of them are of one organization. How to ask them: [events.md](events.md#asking-in-sql).',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}
