import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { backup } from '../../../src/modules/backup/backup.ts';
import { describeGone, GONE } from '../../../src/modules/backup/describe-gone.ts';
import { restore } from '../../../src/modules/backup/restore.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

async function newService() {
  const service = await startTestService(await testDatabase());
  await startTestQueries(service.deps);
  return { ...service, ctx: { deps: service.deps, requestId: 'test' } };
}

const PEOPLE = ['ann', 'bob', 'cid', 'dan'].map((name) => ({
  userId: `${name}-user`,
  anonymousId: `${name}-phone-1`,
}));
/** Of a device that never signed in. */
const NOBODY = { anonymousId: 'lone-phone-1' };

test('a restore does again what was erased and deleted since the backup', async () => {
  const from = await newService();
  const [org, gone] = [await createTestOrg(from), await createTestOrg(from)];
  const [app, deleted] = [
    await createTestApp(from, org.orgId),
    await createTestApp(from, org.orgId),
  ];
  const path = `/v1/apps/${app.appId}`;
  for (const person of [...PEOPLE, NOBODY]) {
    const events = [{ name: 'opened', ...person }];
    await from.call('/v1/events', { body: { events }, headers: app.device });
    if (!('userId' in person)) continue;
    const { userId } = person;
    const body = { userId, productId: 'pro' };
    await from.call(`${path}/purchases/grants`, { body, headers: org.key });
    const fields = { appId: app.appId, 'enduser.id': userId };
    await from.call('/v1/logs', { body: { message: 'said', fields }, headers: org.key });
  }
  await compactEverything(from.deps);
  const late = { name: 'later', anonymousId: 'ann-phone-2', userId: 'ann-user' };
  await from.call('/v1/events', { body: { events: [late] }, headers: app.device });

  const place = temporaryFolder('gone');
  await backup(from.ctx, join(place, 'one'));
  const erased = ['ann-user', 'bob-phone-1', NOBODY.anonymousId];
  for (const id of erased) {
    const query = `${path}/person?personId=${id}`;
    expect((await from.call(query, { method: 'DELETE', headers: org.key })).status).toBe(204);
  }
  await from.call(`/v1/apps/${deleted.appId}`, { method: 'DELETE', headers: org.key });
  await from.deps.sql`
    INSERT INTO organization_deletions (org_id, name, slug, requested_by, requested_at)
    VALUES (${gone.orgId}, 'n', 's', 'somebody', now())`;
  const list = await describeGone(from.deps.sql);
  for (const { userId, anonymousId } of PEOPLE)
    expect(list).not.toMatch(`${userId}|${anonymousId}`);
  await Bun.write(join(place, GONE), list);

  const to = await newService();
  const { gone: again } = await restore(to.ctx, join(place, 'one'));
  expect(again).toMatchObject({ apps: 1, organizations: 1 });
  const exported = (id: string) => to.call(`${path}/person?personId=${id}`, { headers: org.key });
  const back = [
    'ann-user',
    'ann-phone-1',
    'ann-phone-2',
    'bob-user',
    'bob-phone-1',
    'lone-phone-1',
  ];
  for (const id of back) expect([id, (await exported(id)).status]).toEqual([id, 404]);
  for (const id of ['cid-user', 'dan-phone-1']) {
    const { status, body } = await exported(id);
    const kinds = body.records.map(({ kind }: { kind: string }) => kind);
    expect([status, body.events.length]).toEqual([200, 1]);
    expect(kinds).toEqual(expect.arrayContaining(['purchase_grant', 'log_entry']));
  }
  const summary = await to.call(`${path}/events/summary`, { headers: org.key });
  expect(summary.body.people).toBe(2);
  expect((await to.call(`/v1/apps/${deleted.appId}`, { headers: org.key })).status).toBe(404);
  const rows = await to.deps.sql`
    SELECT 1 FROM logs WHERE entry ~ '(ann|bob)-user' UNION ALL
    SELECT 1 FROM purchase_grants WHERE user_id ~ '(ann|bob)-user' UNION ALL
    SELECT 1 FROM audit_entries WHERE changes::text ~ '(ann|bob)-user' UNION ALL
    SELECT 1 FROM auth.organization WHERE id = ${gone.orgId}`;
  expect(rows).toHaveLength(0);
});

test('a restore without a list says that nobody was erased again', async () => {
  const from = await newService();
  await createTestOrg(from);
  const dir = temporaryFolder('gone');
  await backup(from.ctx, dir);
  const to = await newService();
  expect((await restore(to.ctx, dir)).gone).toBeNull();
});
