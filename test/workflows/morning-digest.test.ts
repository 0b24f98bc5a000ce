import { afterAll, describe, expect, test } from 'bun:test';
import { DateTime } from 'luxon';
import { createActivities } from '../../activities/index.ts';
import { sendDigest } from '../../src/modules/digests/index.ts';
import { ensureDigestSchedules } from '../../src/modules/messages/reconcile.ts';
import { morningDigestContract } from '../../src/temporal/contracts/digests.ts';
import { startChat } from '../simulators/chat/server.ts';
import { startSmtpSimulator } from '../simulators/smtp/server.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestQueries } from '../support/queries.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestOrg,
} from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const chat = startChat();
const smtp = startSmtpSimulator();
afterAll(() => {
  chat.stop();
  smtp.stop();
});
const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), {
  temporal,
  env: {
    EGRESS_ALLOW: `127.0.0.1:${chat.port}`,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'service@example.com',
  },
});
const { call, deps } = service;
await startTestQueries(deps);
/** What happens between the claim of a post and its end. */
const whenSending: (() => void)[] = [];
const real = createActivities(deps, []);
await startTestWorker(deps, temporal, {
  sendDigest: async (post) => {
    whenSending.shift()?.();
    return real.sendDigest(post);
  },
});

const switchOn = async (org: TestOrg, settings: object = {}) => {
  const body = { isOn: true, timezone: 'Europe/Berlin', hour: 8, ...settings };
  const answer = await call('/v1/digests', { method: 'PUT', headers: org.key, body });
  expect(answer.status).toBe(200);
  await ensureDigestSchedules(deps);
};
const addDestination = async (org: TestOrg, kind: string, target: string) => {
  const body = { kind, name: kind, target };
  const answer = await call('/v1/digests/destinations', { headers: org.key, body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
const scheduleOf = ({ orgId }: TestOrg) =>
  deps.temporal.client.schedule.getHandle(morningDigestContract.workflowId({ orgId }));
const receivedAt = (path: string) => chat.received.filter((one) => one.path === path);
const lastRun = async (org: TestOrg, count: number) => {
  const actions = await until(`${count} runs`, async () => {
    const { recentActions } = (await scheduleOf(org).describe()).info;
    return recentActions.length >= count ? recentActions : null;
  });
  const { workflowId } = actions.at(-1)!.action.workflow;
  await deps.temporal.client.workflow.getHandle(workflowId).result();
  return workflowId;
};

describe('the morning digest', () => {
  test('comes at its hour of every day of a year, through both changes of the clocks', async () => {
    const org = await createTestOrg(service);
    await switchOn(org);
    const from = DateTime.fromISO('2026-01-01T00:00', { zone: 'Europe/Berlin' });
    const seconds = (at: DateTime) => ({ seconds: Math.floor(at.toSeconds()) as any });
    const { startTime } = await deps.temporal.client.workflowService.listScheduleMatchingTimes({
      namespace: temporal.namespace,
      scheduleId: morningDigestContract.workflowId(org),
      startTime: seconds(from),
      endTime: seconds(from.plus({ years: 1 })),
    });
    const times = startTime.map(({ seconds: at }) =>
      DateTime.fromSeconds(Number(at), { zone: 'Europe/Berlin' }),
    );
    expect(times.map((at) => at.toFormat('HH:mm'))).toEqual(times.map(() => '08:00'));
    expect(new Set(times.map((at) => at.toISODate())).size).toBe(365);
    expect(times).toHaveLength(365);
  });

  test('goes once to every destination, whatever starts it twice', async () => {
    const org = await createTestOrg(service);
    await createTestApp(service, org.orgId);
    for (const [kind, path] of [
      ['slack', '/services/T0/B0/once'],
      ['discord', '/api/webhooks/1/once'],
      ['json', '/json/once'],
    ] as const) {
      await addDestination(org, kind, chat.url(path));
    }
    await addDestination(org, 'mail', org.email);
    await switchOn(org);
    await scheduleOf(org).trigger();
    const workflowId = await lastRun(org, 1);
    await keepHistory(deps.temporal.client, workflowId, 'morning-digest/sent');
    const mail = await smtp.mailTo(org.email);
    expect(mail.headers).toContain('Morning digest of');
    await scheduleOf(org).trigger();
    await lastRun(org, 2);
    expect(receivedAt('/services/T0/B0/once')).toHaveLength(1);
    expect(receivedAt('/api/webhooks/1/once')).toHaveLength(1);
    const [json, ...more] = receivedAt('/json/once');
    expect(more).toEqual([]);
    expect(json?.body.data).toMatchObject({ sales: null, apps: [{ people: 0, events: 0 }] });
    expect(chat.refused).toEqual([]);
    expect(smtp.mails.filter(({ to }) => to.includes(org.email))).toHaveLength(1);
  });

  test('waits as long as it is told to, and gives up an address that is gone', async () => {
    const org = await createTestOrg(service);
    await addDestination(org, 'slack', chat.url('/services/T0/B0/busy'));
    await addDestination(org, 'discord', chat.url('/api/webhooks/1/gone'));
    chat.misbehave('/services/T0/B0/busy', { status: 429, headers: { 'retry-after': '1' } });
    chat.misbehave('/api/webhooks/1/gone', { status: 404, body: '{"code":10015}' });
    await switchOn(org);
    await scheduleOf(org).trigger();
    await lastRun(org, 1);
    expect(receivedAt('/services/T0/B0/busy')).toHaveLength(1);
    const { body } = await call('/v1/digests/destinations', { headers: org.key });
    expect(body.map(({ goneReason }: any) => goneReason)).toEqual([
      null,
      'The address answered 404.',
    ]);
  });

  test('is sent to a chat once more where a worker died while it was sending, and to JSON until it arrives', async () => {
    const org = await createTestOrg(service);
    const { id: slack } = await addDestination(org, 'slack', chat.url('/services/T0/B0/died'));
    const { id: json } = await addDestination(org, 'json', chat.url('/json/died'));
    await switchOn(org);
    await scheduleOf(org).trigger();
    await lastRun(org, 1);
    // Claimed by the release before, which wrote no time.
    const leave = (claimedAt: Date | null) => deps.sql`
      UPDATE digest_posts SET state = 'posting', claimed_at = ${claimedAt}
      WHERE org_id = ${org.orgId}`;
    const [{ day }] = await deps.sql<[{ day: string }]>`
      SELECT day::text FROM digests WHERE org_id = ${org.orgId}`;
    const again = async (destinationId: string) =>
      sendDigest({ deps, requestId: 'test' }, { orgId: org.orgId, day, destinationId });
    await leave(null);
    await again(slack);
    expect(receivedAt('/services/T0/B0/died')).toHaveLength(1);
    await leave(new Date());
    expect(again(slack)).rejects.toThrow('Another worker is posting it.');
    for (let times = 0; times < 3; times += 1) {
      await leave(new Date(Date.now() - 61_000));
      await again(slack);
      await again(json);
    }
    expect(receivedAt('/services/T0/B0/died')).toHaveLength(2);
    const ids = receivedAt('/json/died').map(({ headers }) => headers.get('webhook-id'));
    expect(ids).toEqual(Array.from({ length: 4 }, () => `${day}/${json}`));
  });

  test('ends by one click on its link, and the schedule with it', async () => {
    const org = await createTestOrg(service);
    await addDestination(org, 'json', chat.url('/json/off'));
    await switchOn(org);
    await scheduleOf(org).trigger();
    await lastRun(org, 1);
    const [{ body }] = receivedAt('/json/off') as [any];
    const link = new URL(body.text.split('No more of these: ')[1]);
    const click = (query: string) =>
      call(`${link.pathname}${query}`, { method: 'POST', headers: {} });
    expect((await click(link.search.replace('token=', 'token=x'))).status).toBe(404);
    // Who scans mail follows the link; only the button of its page ends the digest.
    expect((await call(`${link.pathname}${link.search}`, {})).status).toBe(200);
    expect((await call('/v1/digests', { headers: org.key })).body.isOn).toBe(true);
    expect((await click(link.search)).status).toBe(200);
    expect((await call('/v1/digests', { headers: org.key })).body.isOn).toBe(false);
    await ensureDigestSchedules(deps);
    expect(scheduleOf(org).describe()).rejects.toThrow();
    expect((await click(link.search)).status).toBe(200);
  });
});
