import { afterAll } from 'bun:test';
import { askPlayPurchases } from '../../src/modules/purchases/play-store/ask-due.ts';
import { readPlayVoids } from '../../src/modules/purchases/play-store/read-voids.ts';
import { createPlayStore } from '../../src/providers/play-store/client.ts';
import { createPushVerifier } from '../../src/providers/play-store/push.ts';
import { type PlaySimulator, startPlayStore } from '../simulators/play-store/server.ts';
import { googleAccount } from './google-account.ts';
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

const account = googleAccount('reader@example.iam.gserviceaccount.com', 'a1b2');
export const SERVICE_ACCOUNT = account.file;
export const PUSH_EMAIL = 'pushes@example.iam.gserviceaccount.com';

export const trustServiceAccount = account.trustedBy;

export type PlayApp = TestApp & { org: TestOrg; packageName: string };

export type PlayService = TestService & {
  play: PlaySimulator;
  clock: { now: number };
  /** An app that Google Play knows. */
  app: () => Promise<PlayApp>;
  connect: (app: PlayApp) => Promise<void>;
  /** Both of them. */
  connected: () => Promise<PlayApp>;
  verify: (app: PlayApp, purchaseToken: string, userId?: string) => Promise<Answer>;
  entitlement: (app: PlayApp, query?: string) => Promise<Answer['body']>;
  /** How often Google Play was asked about a token. */
  questionsAbout: (token: string) => number;
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

/** A notification about a subscription. */
export const ofToken = (purchaseToken: string, notificationType = 2) => ({
  subscriptionNotification: { version: '1.0', notificationType, purchaseToken },
});

/** A Google Play, and what a service needs to ask it. */
export async function startPlay(clock: () => Date) {
  const play = await startPlayStore(clock);
  afterAll(() => play.stop());
  trustServiceAccount(play);
  const [baseUrl, tokenUrl, certsUrl] = [play.url, `${play.url}/token`, `${play.url}/certs`];
  const playStore = createPlayStore({ baseUrl, tokenUrl, clock });
  return { play, deps: { playStore, playPushes: createPushVerifier({ certsUrl, clock }) } };
}

/** The service with a Google Play of its own; its clock stands still unless a test moves it. */
export async function startPlayService(
  database: TestDatabase,
  options: ServiceOptions = {},
): Promise<PlayService> {
  const clock = { now: Date.now() };
  const now = () => new Date(clock.now);
  const { play, deps } = await startPlay(now);
  const service = await startTestService(database, {
    with: () => ({ clock: now, ...deps }),
    ...options,
  });
  return playServiceOf(service, play, clock);
}

export function playServiceOf(
  service: TestService,
  play: PlaySimulator,
  clock: { now: number },
): PlayService {
  const addressOf = async ({ appId, org }: PlayApp): Promise<string> => {
    const path = `/v1/apps/${appId}/purchases/play-store`;
    return (await service.call(path, { headers: org.key })).body.pushAddress;
  };
  const app = async (): Promise<PlayApp> => {
    const org = await createTestOrg(service);
    const made = await createTestApp(service, org.orgId);
    const packageName = `com.example.a${made.appId.slice(-12)}`;
    play.addApp(packageName);
    return { ...made, org, packageName };
  };
  const connect = async ({ appId, org, packageName }: PlayApp): Promise<void> => {
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
    app,
    connect,
    connected: async () => {
      const made = await app();
      await connect(made);
      return made;
    },
    verify: ({ device }, purchaseToken, userId = 'ada') =>
      service.call('/v1/purchases/verify', {
        headers: device,
        body: { store: 'google_play', purchaseToken, userId },
      }),
    entitlement: async ({ device }, query = 'userId=ada') =>
      (await service.call(`/v1/purchases/entitlement?${query}`, { headers: device })).body,
    questionsAbout: (token) =>
      play.requests.filter((one) => one.startsWith('GET') && one.endsWith(token)).length,
  };
}
