import { storedTransaction } from '../../src/modules/purchases/model/stored.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import type { TestApp, TestOrg, TestService } from './service.ts';

/** A made-up person whose ids all hold `marker`, so that a search finds what is stored of them. */
export type WholePerson = { marker: string; userId: string | null; devices: string[] };

const AWKWARD = ['', "'", '"', '%', '_', '\\', '/', '..', ' x', 'é', '🦊', '`$(id)`', ';--', '<b>'];

export function drawPerson(random: () => number, n: number): WholePerson {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const marker = `mk${n}q${Math.floor(random() * 1e9).toString(36)}z`;
  const count = 1 + Math.floor(random() * 3);
  const devices = Array.from({ length: count }, (_, i) => `${pick(AWKWARD)}${marker}-device-${i}`);
  return { marker, devices, userId: random() < 0.7 ? `${pick(AWKWARD)}${marker}-user` : null };
}

export type Stage = {
  service: Pick<TestService, 'call'> & { deps: { sql: Sql } };
  org: Pick<TestOrg, 'orgId' | 'key'>;
  app: TestApp;
  experimentId: string;
};

const chance = (random: () => number) => random() < 0.6;

async function sendEvents({ service, app }: Stage, person: WholePerson, random: () => number) {
  const { devices, userId } = person;
  const events = devices.flatMap((anonymousId, n) => [
    { name: 'app_opened', anonymousId, props: { marker: person.marker } },
    ...(userId === null ? [] : [{ name: 'signup_completed', anonymousId, userId }]),
    ...Array.from({ length: Math.floor(random() * 4) }, () => ({
      name: `later_${n}`,
      anonymousId,
    })),
  ]);
  await service.call('/v1/events', { body: { events }, headers: app.device });
  if (!chance(random)) return;
  const query = new URLSearchParams({ anonymousId: devices[0] ?? '' });
  await service.call(`/v1/experiments?${query}`, { headers: app.device });
}

const sold = (id: string): string =>
  storedTransaction({
    ...{ environment: 'Production', bundleId: 'com.example', transactionId: id, chainId: id },
    ...{ productId: 'pro', type: 'non_consumable', ownership: 'purchased', signedAt: 1 },
    ...{ purchasedAt: 1, expiresAt: null, revokedAt: null, appAccountToken: null },
    ...{ upgraded: false, freeTrial: false },
  });

/** A purchase with its transaction, notice, renewal, holder, audit row and a line of an import. */
async function buy(
  sql: Sql,
  { org, app }: Stage,
  { marker }: WholePerson,
  holder: [string, string],
) {
  const [kind, personId] = holder;
  const scope = { app_id: app.appId, org_id: org.orgId };
  const chain = { ...scope, environment: 'Production', original_transaction_id: `tx-${marker}` };
  const users = kind === 'user' ? [personId] : [];
  await sql`INSERT INTO purchase_chains ${sql({ ...chain, checked_at: new Date(), users })}`;
  await sql`
    INSERT INTO purchase_transactions (app_id, org_id, environment, original_transaction_id,
      transaction_id, snapshot, signed_ms, signed_text, app_transaction_id)
    SELECT app_id, org_id, environment, original_transaction_id, original_transaction_id,
      ${sold(`tx-${marker}`)}::text::jsonb, 1, ${`signed ${marker}`}, ${`customer-${marker}`} FROM purchase_chains WHERE original_transaction_id = ${`tx-${marker}`}`;
  const notice = { ...scope, environment: 'Production', notice_id: crypto.randomUUID() };
  const times = { notified_at: new Date(), received_at: new Date() };
  const consent = { kind: 'consent_rescinded', app_transaction: `customer-${marker}`, ...times };
  await sql`INSERT INTO purchase_notices ${sql({ ...notice, ...consent })}`;
  const renewal = { signed_ms: 1, content_hash: marker, signed_text: `signed ${marker}` };
  const received = { text_received_at: new Date(), will_renew: true, in_billing_retry: false };
  await sql`INSERT INTO purchase_renewals ${sql({ ...chain, ...renewal, ...received })}`;
  await sql`
    INSERT INTO purchase_links ${sql({ ...chain, kind, person_id: personId, linked_at: new Date() })}`;
  const asked = {
    request_id: `request-${marker}`,
    transaction_id: `tx-${marker}`,
    product_id: 'pro',
  };
  const isNot = { product_type: 'subscription', is_shared: false, is_assigned: false, quantity: 1 };
  const at = new Date();
  const askedAt = { purchased_at: at, asked_at: at, answer_by: at, received_at: at };
  // One that waits is answered meanwhile.
  const state = { state: 'not_answered', why: 'too_late' };
  const request = { ...chain, ...asked, ...isNot, ...askedAt, ...state };
  await sql`INSERT INTO purchase_refund_requests ${sql({ ...request, evidence: sql.json({ marker }) })}`;
  const move = { action: 'linked', to_kind: kind, to_id: personId, actor: '{}', at: new Date() };
  await sql`INSERT INTO purchase_audit ${sql({ ...chain, ...move })}`;
}

async function importLine(sql: Sql, { org, app }: Stage, userId: string, line: number) {
  const importId = `imp_${app.appId.slice(4)}`;
  await sql`
    INSERT INTO purchase_imports (import_id, app_id, org_id, total, created_at)
    VALUES (${importId}, ${app.appId}, ${org.orgId}, 1, now()) ON CONFLICT DO NOTHING`;
  await sql`
    INSERT INTO purchase_import_rows (import_id, line, app_id, org_id, user_id,
      original_transaction_id, state)
    VALUES (${importId}, ${line}, ${app.appId}, ${org.orgId}, ${userId}, '1', 'waiting')`;
}

/** Stores something of the person in every chapter that keeps anything of people. */
export async function storePerson(
  stage: Stage,
  person: WholePerson,
  { random, n }: { random: () => number; n: number },
): Promise<void> {
  const { service, org, app, experimentId } = stage;
  const { sql } = service.deps;
  const { userId, devices } = person;
  const [device = ''] = devices;
  await sendEvents(stage, person, random);
  if (chance(random))
    await buy(sql, stage, person, userId ? ['user', userId] : ['anonymous', device]);
  if (userId !== null && chance(random)) await importLine(sql, stage, userId, n + 2);
  if (userId !== null && chance(random)) {
    const body = { userId, productId: 'pro', note: person.marker };
    await service.call(`/v1/apps/${app.appId}/purchases/grants`, { body, headers: org.key });
  }
  if (userId !== null && chance(random)) {
    await sql`
      INSERT INTO purchase_refund_people (org_id, app_id, user_id, answers, updated_at)
      VALUES (${org.orgId}, ${app.appId}, ${userId}, 'decline', now())`;
  }
  if (chance(random)) {
    await sql`
      INSERT INTO experiment_overrides (org_id, app_id, experiment_id, anonymous_id, arm_id, created_at)
      VALUES (${org.orgId}, ${app.appId}, ${experimentId}, ${device}, 'arm', now())`;
  }
  const scope = { org_id: org.orgId, app_id: app.appId };
  if (chance(random)) {
    const refused = { ...scope, hour: new Date(), reason: `refused_${n}`, batches: 1 };
    const example = {
      last_at: new Date(),
      last_example: person.marker,
      people: [userId ?? device],
    };
    await sql`INSERT INTO event_rejections ${sql({ ...refused, ...example })}`;
  }
  if (chance(random)) {
    await sql`
      INSERT INTO purchase_settings AS s (org_id, app_id, ownership, sandbox_access, sandbox_listed,
        updated_at)
      VALUES (${org.orgId}, ${app.appId}, 'transfer', 'listed', ${[userId ?? device]}, now()) ON CONFLICT (app_id)
      DO UPDATE SET sandbox_listed = s.sandbox_listed || excluded.sandbox_listed`;
  }
  if (!chance(random)) return;
  const fields = { appId: app.appId, userId: userId ?? device };
  await service.call('/v1/logs', { body: { message: 'said', fields }, headers: org.key });
}
