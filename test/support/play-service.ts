import { afterAll } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { createPlayStore } from '../../src/providers/play-store/client.ts';
import { type PlaySimulator, startPlayStore } from '../simulators/play-store/server.ts';
import type { TestDatabase } from './postgres.ts';
import {
  createTestApp,
  createTestOrg,
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

export type PlayApp = TestApp & { org: TestOrg; packageName: string };

export type PlayService = TestService & {
  play: PlaySimulator;
  clock: { now: number };
  /** An app that Google Play knows. */
  app: () => Promise<PlayApp>;
  connect: (app: PlayApp) => Promise<void>;
};

/** The service with a Google Play of its own; its clock stands still unless a test moves it. */
export async function startPlayService(database: TestDatabase): Promise<PlayService> {
  const clock = { now: Date.now() };
  const play = await startPlayStore(() => new Date(clock.now));
  afterAll(() => play.stop());
  play.addAccount(EMAIL, pair.publicKey);
  const service = await startTestService(database, {
    with: () => ({
      clock: () => new Date(clock.now),
      playStore: createPlayStore({
        baseUrl: play.url,
        tokenUrl: `${play.url}/token`,
        clock: () => new Date(clock.now),
      }),
    }),
  });
  return {
    ...service,
    play,
    clock,
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
