import { afterAll } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { applyPurchaseNotification } from '../../src/modules/purchases/app-store/notifications/apply.ts';
import { createStoreServer } from '../../src/providers/store-server/client.ts';
import { createSignatureVerifier } from '../../src/providers/store-server/verifier.ts';
import { createPki } from '../simulators/store-server/pki.ts';
import { type StoreServerSimulator, startStoreServer } from '../simulators/store-server/server.ts';
import {
  SimulatedSubscription,
  type SubscriptionOptions,
  type Told,
  toNotification,
} from '../simulators/store-server/subscription.ts';
import type { TestDatabase } from './postgres.ts';
import {
  createTestApp,
  createTestOrg,
  type ServiceOptions,
  startTestService,
  type TestApp,
  type TestOrg,
  type TestService,
} from './service.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const PURCHASE_KEY = {
  keyId: 'KEY1234567',
  issuerId: '57246542-96fe-1a63-e053-0824d011072a',
  privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

export type TestClock = { now: number };

export type PurchaseApp = TestApp & { org: TestOrg; bundleId: string; storeAppId: string };

export type PurchaseService = TestService & {
  store: StoreServerSimulator;
  clock: TestClock;
  /** An app that is linked to its store app, and that the store knows. */
  app: (org?: TestOrg, bundleId?: string) => Promise<PurchaseApp>;
  connect: (app: PurchaseApp) => Promise<void>;
  /** What the store sends of it. */
  signed: (subscription: SimulatedSubscription, told: Told, app: PurchaseApp) => string;
  /** Sends it as the store does, then applies what was stored. */
  deliver: (subscription: SimulatedSubscription, told: Told, app: PurchaseApp) => Promise<void>;
  /** Applies what is stored and not applied, as the workflows do. */
  applyAll: () => Promise<void>;
};

/** The service with a store of its own; its clock stands still unless a test moves it. */
export async function startPurchaseService(
  database: TestDatabase,
  options: ServiceOptions = {},
): Promise<PurchaseService> {
  const store = await startStoreServer(await createPki());
  afterAll(() => store.stop());
  store.addKey({ ...PURCHASE_KEY, publicKey: pair.publicKey });
  const clock: TestClock = { now: Date.now() };
  const signatures = createSignatureVerifier({ roots: [store.pki.rootDer] });
  const service = await startTestService(database, {
    ...options,
    with: (deps) => ({
      clock: () => new Date(clock.now),
      signatures,
      storeServer: createStoreServer({
        baseUrls: { Production: store.production.url, Sandbox: store.sandbox.url },
        verifier: signatures,
        clock: () => new Date(),
      }),
      ...options.with?.(deps),
    }),
  });

  const app = async (given?: TestOrg, bundle?: string): Promise<PurchaseApp> => {
    const org = given ?? (await createTestOrg(service));
    const made = await createTestApp(service, org.orgId);
    const bundleId = bundle ?? `com.example.a${made.appId.slice(-12)}`;
    const storeAppId = String(Math.abs(Bun.hash.crc32(bundleId)));
    await service.deps.sql`
      UPDATE apps SET bundle_id = ${bundleId}, store_app_id = ${storeAppId}
      WHERE app_id = ${made.appId}`;
    store.addApp(bundleId);
    return { ...made, org, bundleId, storeAppId };
  };

  const signed: PurchaseService['signed'] = (subscription, told, { bundleId, storeAppId }) => {
    const { environment } = subscription.options;
    const payload = toNotification(told, { bundleId, environment, appAppleId: Number(storeAppId) });
    return store.notify(environment, payload, told);
  };

  const applyAll = async () => {
    const waiting = await service.deps.sql<
      { environment: 'Production' | 'Sandbox'; notification_id: string }[]
    >`
      SELECT environment, notification_id FROM purchase_notifications WHERE applied_at IS NULL`;
    for (const row of waiting) {
      await applyPurchaseNotification(
        { deps: service.deps, requestId: 'test' },
        { environment: row.environment, notificationId: row.notification_id },
      );
    }
  };

  return {
    ...service,
    store,
    clock,
    app,
    signed,
    applyAll,
    connect: async ({ org }) => {
      const answer = await service.call('/v1/purchases/connection', {
        method: 'PUT',
        headers: org.key,
        body: PURCHASE_KEY,
      });
      if (answer.status !== 200) throw new Error(answer.text);
    },
    deliver: async (subscription, told, about) => {
      const answer = await service.call('/v1/purchases/notifications', {
        body: { signedPayload: signed(subscription, told, about) },
      });
      if (answer.status !== 200) throw new Error(answer.text);
      await applyAll();
    },
  };
}

export function buy(
  app: PurchaseApp,
  start: number,
  options: Partial<SubscriptionOptions> = {},
): SimulatedSubscription {
  return new SimulatedSubscription({
    bundleId: app.bundleId,
    environment: 'Production',
    start,
    ...options,
  });
}
