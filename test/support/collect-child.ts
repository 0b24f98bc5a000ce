import { loadConfig } from '../../src/config.ts';
import { collectDays } from '../../src/modules/sales/collection/collect.ts';
import { createKeySlots } from '../../src/modules/sales/collection/key-slots.ts';
import { createLogger } from '../../src/observability/log.ts';
import { createStoreClient } from '../../src/providers/store/client.ts';
import { openObjectStore } from '../../src/storage/object-store/open.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { createSecrets } from '../../src/storage/secrets/secrets.ts';
import { openGate } from '../support/open-gate.ts';

/**
 * A worker's side of a backfill, for tests that kill it: collects until nothing is due. It opens
 * what that needs and no more, since it is started very often.
 */
const config = loadConfig();
const clock = () => new Date(process.env.CHILD_NOW ?? '');
const sql = createSql(config.databaseUrl ?? '', {
  maxConnections: 10,
  applicationName: 'control-plane-worker',
  isPooled: config.databasePooler === 'transaction',
});
const store = createStoreClient({
  baseUrl: config.storeApiUrl,
  clock,
  // The slots of a killed worker come free soon.
  gate: createKeySlots(sql, 1),
  limits: openGate,
});
const deps = {
  clock,
  log: createLogger(config, 'worker'),
  objects: openObjectStore(config),
  secrets: createSecrets(config.secretsKeys),
  sql,
  store,
};
process.send?.('ready');
const input = { orgId: process.env.CHILD_ORG ?? '', force: false, beganAtMs: null };
for (;;) {
  const { more, stop } = await collectDays(
    { deps, requestId: 'child' },
    { ...input, withoutTrials: false },
  );
  // A store in trouble is asked again at once: the test is about what is left in between.
  if (!more && stop === null) break;
}
process.exit(0);
