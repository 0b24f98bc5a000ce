import { afterAll } from 'bun:test';
import type { Deps, SystemContext } from '../../src/context.ts';
import { collectDays } from '../../src/modules/sales/collection/collect.ts';
import {
  insertCandidate,
  promoteCandidate,
} from '../../src/modules/sales/collection/connection-queries.ts';
import { createKeySlots } from '../../src/modules/sales/collection/key-slots.ts';
import { sealPrivateKey } from '../../src/modules/sales/collection/opened-key.ts';
import { createStoreClient } from '../../src/providers/store/client.ts';
import { createProviderRateLimit } from '../../src/storage/provider-rate-limit.ts';
import {
  type StoreAccount,
  type StoreSimulator,
  startStoreSimulator,
} from '../simulators/store/server.ts';
import type { TestDatabase } from './postgres.ts';
import { type ServiceOptions, startTestService, type TestService } from './service.ts';

/** A Wednesday in summer, at eleven in the morning of the store. */
export const NOON = new Date('2026-07-15T18:00:00Z');

export type StoreSuite = TestService & {
  store: StoreSimulator;
  /** Moves the time of the service and of the store. */
  setNow: (now: Date) => void;
  ctx: SystemContext;
};

/** The service beside a simulated store, both on one clock that only the test moves. */
export async function startStoreSuite(
  database: TestDatabase,
  account: Partial<StoreAccount> = {},
  options: ServiceOptions = {},
): Promise<StoreSuite> {
  let now = NOON;
  const clock = () => now;
  const store = await startStoreSimulator({ seed: 11, now: clock, ...account });
  afterAll(() => store.stop());
  const service = await startTestService(database, {
    ...options,
    env: { STORE_API_URL: store.url, ...options.env },
    with: (deps: Deps) => ({
      clock,
      store: createStoreClient({
        baseUrl: store.url,
        clock,
        gate: createKeySlots(deps.sql),
        limits: createProviderRateLimit(deps.sql, clock),
        timeoutMs: 30_000,
      }),
      ...options.with?.(deps),
    }),
  });
  return {
    ...service,
    store,
    setNow: (at) => {
      now = at;
    },
    ctx: { deps: service.deps, requestId: 'req_test' },
  };
}

/** Makes the simulated key the organization's without asking anybody, for tests of what follows. */
export async function placeConnection(suite: StoreSuite, orgId: string): Promise<void> {
  const [key] = suite.store.account.keys;
  const connectionId = `con_${crypto.randomUUID()}`;
  await insertCandidate(suite.deps.sql, {
    connectionId,
    orgId,
    issuerId: key!.issuerId,
    keyId: key!.keyId,
    vendorNumber: suite.store.account.vendorNumber,
    sealedKey: sealPrivateKey(suite.deps, orgId, key!.privateKey),
    teamId: null,
    teamType: null,
    createdAt: NOON,
  });
  await promoteCandidate(suite.deps.sql, orgId, connectionId, NOON);
}

/** Collects everything that is due, without Temporal. */
export async function collectAll(suite: StoreSuite, orgId: string): Promise<void> {
  let more = true;
  let withoutTrials = false;
  while (more) {
    const input = { orgId, force: false, beganAtMs: null, withoutTrials };
    ({ more, withoutTrials } = await collectDays(suite.ctx, input));
  }
}
