import { writeFile } from 'node:fs/promises';
import { insertRun, lockCatalogue } from '../../src/event-store/catalogue/queries.ts';
import { KEY_BYTES } from '../../src/event-store/dedup/key-run.ts';
import { hourNumber } from '../../src/event-store/dedup/sections.ts';
import { keyRunName } from '../../src/event-store/objects/names.ts';
import { newId } from '../../src/shared/ids.ts';
import { HOUR_MS } from '../../src/shared/time.ts';
import { localObjectStore } from '../../src/storage/object-store/local.ts';
import type { Sql } from '../../src/storage/postgres.ts';

const HOURS_A_DAY = 24;
const PREFIX_LIMIT = 2 ** 48;

/** Sorted keys, spread as hashes are. */
function evenKeys(count: number): Buffer {
  const bytes = Buffer.allocUnsafe(count * KEY_BYTES);
  crypto.getRandomValues(new Uint8Array(bytes.buffer, bytes.byteOffset, 65_536));
  for (let n = 0; n < count; n += 1) {
    const prefix = Math.floor(((n + Math.random()) / count) * PREFIX_LIMIT);
    bytes.writeUIntBE(prefix, n * KEY_BYTES, 6);
    bytes.writeDoubleBE(Math.random(), n * KEY_BYTES + 8);
  }
  return bytes;
}

/** The identities of so many days at a steady rate, as merging leaves them: hours, then days. */
export async function fillIndex(
  sql: Sql,
  eventsDir: string,
  { days, eventsPerSecond }: { days: number; eventsPerSecond: number },
): Promise<number> {
  const objects = localObjectStore(eventsDir);
  const now = hourNumber(Date.now());
  let keys = 0;
  for (let ago = 0; ago < days * HOURS_A_DAY; ago += 1) {
    const count = (eventsPerSecond * HOUR_MS) / 1_000;
    const runId = newId('run');
    const scratch = objects.scratchPath(runId);
    await writeFile(scratch, evenKeys(count));
    const receivedMs = (now - ago) * HOUR_MS;
    const path = keyRunName(runId, new Date(receivedMs));
    await objects.adopt(scratch, path);
    const received = { minReceivedMs: receivedMs, maxReceivedMs: receivedMs };
    const span = { of: 'sent' as const, fromHour: now - ago, toHour: now - ago + 1 };
    await sql.begin(async (tx) => {
      const seq = await lockCatalogue(tx);
      const at = new Date(receivedMs);
      const sections = [{ ...span, keys: count, ...received }];
      const run = { runId, path, keys: count, minReceivedAt: at, maxReceivedAt: at };
      await insertRun(tx, { ...run, sections, settled: true, importId: null }, seq);
    });
    keys += count;
  }
  return keys;
}
