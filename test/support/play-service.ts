import { afterAll } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { askPlayPurchases } from '../../src/modules/purchases/play-store/ask-due.ts';
import { readPlayVoids } from '../../src/modules/purchases/play-store/read-voids.ts';
import { createPlayStore } from '../../src/providers/play-store/client.ts';
import { createPushVerifier } from '../../src/providers/play-store/push.ts';
import { type PlaySimulator, startPlayStore } from '../simulators/play-store/server.ts';
import type { TestDatabase } from './postgres.ts';
import {
  type Answer,
  createTestApp,
  createTestOrg,
  type ServiceOptions,
  startTestService,
  type TestApp,
  type TestOrg,
  type TestService,
} from './service.ts';

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const EMAIL = 'reader@example.iam.gserviceaccount.com';
export const SERVICE_ACCOUNT = {
  type: 'service_account',
  private_key_id: 'a1b2',
  private_key: pair.privateKey,
  client_email: EMAIL,
};
export const PUSH_EMAIL = 'pushes@example.iam.gserviceaccount.com';

export const trustServiceAccount = (play: PlaySimulator): void => {
  play.addAccount(EMAIL, pair.publicKey);
};

export type PlayApp = TestApp & { org: TestOrg; packageName: string };

export type PlayService = TestService & {
  play: PlaySimulator;
  clock: { now: number };
  /** An app that Google Play knows. */
  app: () => Promise<PlayApp>;
  connect: (app: PlayApp) => Promise<void>;
  /** What the runs of Temporal do for an app. */
  askNow: (app: PlayApp) => Promise<void>;
  /** As Pub/Sub delivers a notification. */
  push: (app: PlayApp, told: object, more?: PushOptions) => Promise<Answer>;
  /** As Google Play answers about a subscription from now on. */
  sell: (bought: Sold, more?: object) => void;
};

export type PushOptions = { claims?: object; packageName?: string; authorization?: string };
export type Sold = { token: string; state?: string; productId?: string; orderId?: string | null };

const DAY_MS = 86_400_000;
let orders = 0;
export const newToken = () => `token-${crypto.randomUUID()}`;

export function subscriptionOf(
  { state = 'ACTIVE', productId = 'pro', orderId }: Sold,
  now: number,
) {
  orders += 1;
  const order = orderId === undefined ? `GPA.${orders}` : orderId;
  return {
    subscriptionState: `SUBSCRIPTION_STATE_${state}`,
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    startTime: new Date(now).toISOString(),
    regionCode: 'DE',
    lineItems: [
      {
        productId,
        expiryTime: new Date(now + 30 * DAY_MS).toISOString(),
        ...(order === null ? {} : { latestSuccessfulOrderId: order }),
        autoRenewingPlan: { autoRenewEnabled: true },
      },
    ],
  };
}

/** The service with a Google Play of its own; its clock stands still unless a test moves it. */
export async function startPlayService(
  database: TestDatabase,
  options: ServiceOptions = {},
): Promise<PlayService> {
  const clock = { now: Date.now() };
  const play = await startPlayStore(() => new Date(clock.now));
  afterAll(() => play.stop());
  trustServiceAccount(play);
  const service = await startTestService(database, {
    with: () => ({
      clock: () => new Date(clock.now),
      playStore: createPlayStore({
        baseUrl: play.url,
        tokenUrl: `${play.url}/token`,
        clock: () => new Date(clock.now),
      }),
      playPushes: createPushVerifier({
        certsUrl: `${play.url}/certs`,
        clock: () => new Date(clock.now),
      }),
    }),
    ...options,
  });
  const addressOf = async ({ appId, org }: PlayApp): Promise<string> => {
    const path = `/v1/apps/${appId}/purchases/play-store`;
    return (await service.call(path, { headers: org.key })).body.pushAddress;
  };
  return {
    ...service,
    play,
    clock,
    sell: (sold, more = {}) =>
      play.put(sold.token, { ...subscriptionOf(sold, clock.now), ...more }),
    askNow: async ({ appId, org }) => {
      const scope = { orgId: org.orgId, appId };
      const ctx = { deps: service.deps, requestId: 'test' };
      await readPlayVoids(ctx, scope);
      while ((await askPlayPurchases(ctx, scope)).goesOn);
    },
    push: async (app, told, { claims = {}, packageName = app.packageName, ...more } = {}) => {
      const address = await addressOf(app);
      const signed = await play.signPush({ aud: address, email: PUSH_EMAIL, ...claims });
      const data = { version: '1.0', packageName, eventTimeMillis: String(clock.now), ...told };
      const message = {
        data: Buffer.from(JSON.stringify(data)).toString('base64'),
        messageId: crypto.randomUUID(),
      };
      return service.call(new URL(address).pathname, {
        headers: { authorization: more.authorization ?? signed },
        body: { message, subscription: 'projects/example/subscriptions/play' },
      });
    },
    app: async () => {
      const org = await createTestOrg(service);
      const made = await createTestApp(service, org.orgId);
      const packageName = `com.example.a${made.appId.slice(-12)}`;
      play.addApp(packageName);
      return { ...made, org, packageName };
    },
    connect: async ({ appId, org, packageName }) => {
      const answer = await service.call(`/v1/apps/${appId}/purchases/play-store`, {
        method: 'PUT',
        headers: org.key,
        body: {
          packageName,
          serviceAccount: JSON.stringify(SERVICE_ACCOUNT),
          pushEmail: PUSH_EMAIL,
        },
      });
      if (answer.status !== 200) throw new Error(answer.text);
    },
  };
}
