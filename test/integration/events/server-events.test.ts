import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importEventsFile } from '../../../src/modules/events/index.ts';
import { intakeOf } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const send = intakeOf(service);
const folder = mkdtempSync(join(tmpdir(), 'server-events-'));
afterAll(() => rmSync(folder, { recursive: true }));

const USERS = ['user-0001', 'u2', 'user-0003'];
const BEGIN_MS = Date.now() - 3 * 86_400_000;
const event = (user: string, n: number) => ({
  ...{ event_type: 'Paid', user_id: user, insert_id: `insert-${n}` },
  time: BEGIN_MS + 1_000 * n,
});
/** As Amplitude exports what came without a device. */
const lines = USERS.map((user, n) => ({
  ...{ event_type: 'Paid', user_id: user, $insert_id: `insert-${n}` },
  event_time: new Date(BEGIN_MS + 1_000 * n).toISOString().replace('T', ' ').replace('Z', '000'),
  device_id: crypto.randomUUID(),
}));

test.each(['in files', 'in the log'])(
  'an event that a server sent without a device is the export’s with one, %s',
  async (where) => {
    const { appId, serviceKey } = await createTestApp(service, org.orgId);
    const summary = async () =>
      (await call(`/v1/apps/${appId}/events/summary`, { headers: org.key })).body;
    const events = USERS.map(event);
    const body = JSON.stringify({ api_key: serviceKey, events });
    const headers = { 'content-type': 'application/json' };
    expect((await send('/v1/amplitude/2/httpapi', body, headers)).status).toBe(200);
    if (where === 'in files') await compactEverything(deps);
    const others = lines.map((line) => ({
      ...line,
      ...{ user_id: `${line.user_id}-other`, device_id: crypto.randomUUID() },
    }));
    const path = join(folder, `${appId}.jsonl`);
    writeFileSync(path, [...lines, ...others].map((line) => JSON.stringify(line)).join('\n'));
    await importEventsFile({ deps, requestId: 'test' }, { appId, path });
    expect(await summary()).toMatchObject({ events: 6, people: 6 });
    await compactEverything(deps);
    expect(await summary()).toMatchObject({ events: 6, people: 6 });
  },
);
