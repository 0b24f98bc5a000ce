import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { collectDays } from '../../src/modules/sales/collection/collect.ts';
import { createKeySlots } from '../../src/modules/sales/collection/key-slots.ts';
import { createStoreClient } from '../../src/providers/store/client.ts';
import { openGate } from '../support/open-gate.ts';

/** A worker's side of a backfill, for tests that kill it: collects until nothing is due. */
const made = await createDeps(loadConfig(), 'worker');
const clock = () => new Date(process.env.CHILD_NOW ?? '');
const deps = Object.defineProperties({} as typeof made, Object.getOwnPropertyDescriptors(made));
const store = createStoreClient({
  baseUrl: made.config.storeApiUrl,
  clock,
  // The slots of a killed worker come free soon.
  gate: createKeySlots(made.sql, 1),
  limits: openGate,
  timeoutMs: 2_000,
});
Object.assign(deps, { clock, store });
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
