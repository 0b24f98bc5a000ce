import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { type BackendSimulator, startBackendSimulator } from '../simulators/backend/simulator.ts';
import { type SmtpSimulator, startSmtpSimulator } from '../simulators/smtp/server.ts';
import { makeKey } from '../simulators/store/auth.ts';
import { type StoreSimulator, startStoreSimulator } from '../simulators/store/server.ts';
import { createPki } from '../simulators/store-server/pki.ts';
import { type StoreServerSimulator, startStoreServer } from '../simulators/store-server/server.ts';
import type { WorldKeys } from './facts.ts';

const ISSUER = '57246542-96fe-1a63-e053-0824d011072a';

export type Received = { path: string; headers: Headers; body: string };

/** An address of the customer's; refuses everything until told otherwise. */
export type Receiver = {
  url: string;
  hostPort: string;
  status: number;
  received: Received[];
  stop: () => Promise<void>;
};

export type World = {
  keys: WorldKeys;
  store: StoreSimulator;
  storeServer: StoreServerSimulator;
  backend: BackendSimulator;
  smtp: SmtpSimulator;
  receiver: Receiver;
  /** Tells the service where everything is. */
  env: Record<string, string>;
  stop: () => Promise<void>;
};

function startReceiver(): Receiver {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      received.push({ path: pathname, headers: request.headers, body: await request.text() });
      return new Response('', { status: receiver.status });
    },
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}`,
    hostPort: `127.0.0.1:${server.port}`,
    status: 500,
    received,
    stop: () => server.stop(true),
  };
  return receiver;
}

export function newKeys(): WorldKeys {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { publicKey: _, ...store } = makeKey(ISSUER, '2X9R4HXF34');
  return {
    store,
    purchases: { issuerId: ISSUER, keyId: 'KEY1234567', privateKey },
    backendToken: 'sbp_fixture',
  };
}

/** Every outside system, as it was known to an installation with these keys. */
export async function startWorld(
  keys: WorldKeys,
  dir: string,
  trustedPem?: string,
): Promise<World> {
  const store = await startStoreSimulator({
    seed: 7,
    retentionDays: 24,
    firstDay: '2026-01-01',
    keys: [{ ...keys.store, publicKey: createPublicKey(keys.store.privateKey) }],
  });
  const storeServer = await startStoreServer(await createPki());
  storeServer.addKey({
    ...keys.purchases,
    publicKey: createPublicKey(keys.purchases.privateKey),
  });
  const backend = await startBackendSimulator({ token: keys.backendToken });
  const smtp = startSmtpSimulator();
  const receiver = startReceiver();
  const rootFile = join(dir, 'root.pem');
  await Bun.write(rootFile, storeServer.pki.rootPem);
  const roots = [rootFile];
  if (trustedPem !== undefined) {
    await Bun.write(join(dir, 'old-root.pem'), trustedPem);
    roots.push(join(dir, 'old-root.pem'));
  }
  return {
    keys,
    store,
    storeServer,
    backend,
    smtp,
    receiver,
    env: {
      STORE_API_URL: store.url,
      STORE_SERVER_API_URL: storeServer.production.url,
      STORE_SERVER_SANDBOX_API_URL: storeServer.sandbox.url,
      STORE_ROOT_CERTIFICATES: roots.join(','),
      BACKEND_API_URL: backend.url,
      BACKEND_API_TOKEN: keys.backendToken,
      BACKEND_ORGANIZATION: backend.state.organization,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'service@example.com',
      EGRESS_ALLOW: receiver.hostPort,
      // Nobody listens there: the refresh of the rates waits for its next attempt.
      FX_RATES_URL: 'http://127.0.0.1:9/rates.zip',
      RATE_LIMIT_SCALE: '1000',
    },
    stop: async () => {
      smtp.stop();
      await Promise.all([store.stop(), storeServer.stop(), backend.stop(), receiver.stop()]);
    },
  };
}
