import { asyncLocalStorage, Context } from '@temporalio/activity';
import type { Deps } from '../../src/context.ts';
import { FORWARD_PURPOSE } from '../../src/modules/purchases/entitlement/settings.ts';
import { sealPrivateKey } from '../../src/modules/sales/collection/opened-key.ts';
import type { EgressQuestion, EgressRequest } from '../../src/providers/egress/port.ts';
import { at } from '../../src/shared/assert.ts';
import { AppError } from '../../src/shared/errors.ts';
import { newId } from '../../src/shared/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/shared/time.ts';
import { listTables, qualified } from '../../src/storage/dump/tables.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import { writeEventFiles } from './forgery/event-files.ts';
import { createTestApp, createTestOrg, type TestService } from './service.ts';

export type World = Awaited<ReturnType<typeof fullWorld>>;

const VENDOR = '80012345';
const FORWARD_URL = 'https://forward.example/store';
/** The one request that a row of the world asks for. */
export const FORWARDED = `egress.post ${FORWARD_URL} {"signedPayload":"x"}`;
const before = (ms: number) => new Date(Date.now() - ms);

/**
 * An organization in which something of every kind is under way, and an app of another one; both have
 * events, in a file of each and in one together.
 */
export async function fullWorld(service: TestService) {
  const { deps } = service;
  const { orgId } = await createTestOrg(service);
  const { appId } = await createTestApp(service, orgId);
  const { appId: otherAppId } = await createTestApp(service, orgId);
  const { orgId: foreignOrgId } = await createTestOrg(service);
  const { appId: foreignAppId } = await createTestApp(service, foreignOrgId);
  const foreign = { orgId: foreignOrgId, appId: foreignAppId };
  const { shared, own } = await writeEventFiles(service, [{ orgId, appId }, foreign]);
  const ids = {
    orgId,
    appId,
    otherAppId,
    foreign,
    files: { shared, own: at(own, 0), foreign: at(own, 1) },
    deliveryId: newId('dlv'),
    destinationId: newId('dst'),
    bundleId: newId('bun'),
    sessionId: newId('prv'),
    connectionId: newId('con'),
    notificationId: crypto.randomUUID(),
    originalTransactionId: '2000000000000001',
    projectRef: `ref${newId('prj').slice(-12)}`,
  };
  await funnelsAndStore(deps, ids);
  await deliveries(deps, ids);
  await purchasesAndPreview(deps, ids);
  return ids;
}

type Ids = {
  orgId: string;
  appId: string;
  deliveryId: string;
  destinationId: string;
  bundleId: string;
  sessionId: string;
  connectionId: string;
  notificationId: string;
  projectRef: string;
};

async function funnelsAndStore(
  deps: Deps,
  { orgId, connectionId, projectRef }: Ids,
): Promise<void> {
  const { sql } = deps;
  const key = { issuer_id: 'issuer', key_id: 'key', vendor_number: VENDOR, sealed_key: 'sealed' };
  const connection = { org_id: orgId, ...key, connected_at: before(DAY_MS) };
  await sql`INSERT INTO store_connections ${sql({ ...connection, connection_id: newId('con'), status: 'connected' })}`;
  await sql`INSERT INTO store_candidates ${sql({ org_id: orgId, ...key, sealed_key: sealPrivateKey(deps, orgId, 'key'), connection_id: connectionId, created_at: new Date(Date.now() + HOUR_MS) })}`;
  await sql`INSERT INTO store_syncs ${sql({ org_id: orgId, vendor_number: VENDOR, last_run_at: before(HOUR_MS), stopped_because: 'budget', last_error: 'later', wait_until: new Date(Date.now() + HOUR_MS) })}`;
  const project = { org_id: orgId, origin: 'assigned', name: projectRef, created_at: new Date() };
  await sql`INSERT INTO backend_projects ${sql({ ...project, backend_project_id: newId('bkp'), project_ref: projectRef, url: 'https://project.example' })}`;
}

async function deliveries(deps: Deps, ids: Ids): Promise<void> {
  const { sql } = deps;
  const { orgId, deliveryId, destinationId, bundleId } = ids;
  const webhookId = newId('whk');
  const made = { org_id: orgId, created_at: new Date() };
  await sql`INSERT INTO webhooks ${sql({ ...made, webhook_id: webhookId, url: 'https://hook.example', events: ['app.created'], sealed_secret: 'sealed' })}`;
  await sql`INSERT INTO webhook_deliveries ${sql({ ...made, webhook_id: webhookId, delivery_id: deliveryId, event_type: 'app.created', body: '{}', status: 'pending', attempt_due_at: new Date(Date.now() + HOUR_MS), run_ensured_at: new Date() })}`;
  await sql`INSERT INTO digest_settings ${sql({ org_id: orgId, is_on: true, timezone: 'UTC', hour: 7, updated_at: new Date(), run_ensured_at: new Date() })}`;
  await sql`INSERT INTO digest_destinations ${sql({ ...made, destination_id: destinationId, kind: 'json', name: 'one', sealed_target: 'sealed' })}`;
  const day = before(0).toISOString().slice(0, 10);
  await sql`INSERT INTO digests ${sql({ ...made, day, digest: sql.json({ day, sales: null, apps: [] }) as never })}`;
  await sql`INSERT INTO digest_posts ${sql({ org_id: orgId, day, destination_id: destinationId, state: 'sent' })}`;
  const bundle = sql.json({ lines: [], messages: [] });
  await sql`INSERT INTO message_bundles ${sql({ ...made, bundle_id: bundleId, lines: 1, bundle: bundle as never })}`;
  await sql`INSERT INTO message_posts ${sql({ ...made, bundle_id: bundleId, destination_id: destinationId, state: 'posting', claimed_at: new Date() })}`;
}

async function purchasesAndPreview({ sql, secrets }: Deps, ids: Ids): Promise<void> {
  const { orgId, appId, notificationId, sessionId } = ids;
  const scope = { org_id: orgId, app_id: appId };
  const notification = { environment: 'Production', notification_id: notificationId };
  await sql`INSERT INTO purchase_notifications ${sql({ ...notification, bundle_id: 'com.example.x', type: 'TEST', signed_at: new Date(), payload: 'x', received_at: new Date(), applied_at: new Date(), signed_kept_at: new Date(), last_error: 'The signed data is refused: malformed.' })}`;
  const sealed_forward_secret = secrets.seal({ orgId, purpose: FORWARD_PURPOSE }, 'whsec_c2VjcmV0');
  const settings = { ownership: 'transfer', sandbox_access: 'anybody', sandbox_listed: [] };
  await sql`INSERT INTO purchase_settings ${sql({ ...scope, ...settings, forward_url: FORWARD_URL, sealed_forward_secret, updated_at: new Date() })}`;
  await sql`INSERT INTO purchase_forwards ${sql({ ...notification, ...scope, state: 'pending', created_at: new Date() })}`;
  for (const environment of ['Production', 'Sandbox']) {
    await sql`INSERT INTO purchase_recoveries ${sql({ ...scope, environment, recovered_through: before(HOUR_MS), started_at: before(MINUTE_MS), last_error: 'The store cannot be reached.' })}`;
  }
  await sql`INSERT INTO preview_runners ${sql({ ...scope, command: 'true', updated_at: new Date() })}`;
  await sql`INSERT INTO preview_sessions ${sql({ ...scope, session_id: sessionId, phase: 'ready', started_at: new Date(), updated_at: new Date() })}`;
}

/** When something was last looked at, which whoever speaks to Temporal can bring about. */
const LOOKED_AT = new Set(['last_run_at', 'wait_until', 'updated_at', 'started_at']);

function withoutTimes(row: string): string {
  const fields: [string, unknown][] = Object.entries(JSON.parse(row));
  return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !LOOKED_AT.has(name))));
}

/** Every row of every table, but for when it was looked at. */
export async function everyRow(sql: Sql): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  // Whoever asks, a worker notes when a kind of work succeeded.
  const tables = (await listTables(sql)).filter(({ name }) => name !== 'work_kinds');
  for (const table of tables) {
    // Maintenance counts orphaned files whoever asked for it.
    const rows = await sql.unsafe(
      `SELECT (to_jsonb(t) - '{orphan_files,orphan_bytes,orphans_counted_at}'::text[])::text AS row
        FROM ${qualified(table)} t`,
    );
    found[table.name] = rows.map(({ row }) => withoutTimes(row)).toSorted();
  }
  return found;
}

/** Outside systems that note each call, and answer as where nobody is. */
export function deafProviders(outgoing: string[]): Partial<Deps> {
  const deaf = (name: string) =>
    new Proxy(
      {},
      {
        get: (_, method) => async () => {
          outgoing.push(`${name}.${String(method)}`);
          throw new AppError('unavailable', 'Nobody answers.');
        },
      },
    ) as never;
  const ask = async ({ url }: EgressQuestion) => {
    outgoing.push(`egress.ask ${url}`);
    throw new AppError('unavailable', 'Nobody answers.');
  };
  const post = async ({ url, body }: EgressRequest) => {
    outgoing.push(`egress.post ${url} ${body}`);
    throw new AppError('unavailable', 'Nobody answers.');
  };
  return {
    egress: { check: () => undefined, post, ask },
    store: deaf('store'),
    storeServer: deaf('storeServer'),
    playStore: deaf('playStore'),
    playReports: deaf('playReports'),
    backendProvider: deaf('backend'),
  };
}

/** Runs an activity as a worker does, outside of Temporal. */
export function inActivity<T>(activityType: string, work: () => Promise<T>): Promise<T> {
  const info = {
    activityType,
    activityId: '1',
    workflowExecution: { workflowId: 'forged', runId: 'forged' },
  };
  const never = new Promise<never>(() => undefined);
  const signal = new AbortController().signal;
  const context = Reflect.construct(Context, [info, never, signal, () => undefined]);
  return asyncLocalStorage.run(context, work);
}
