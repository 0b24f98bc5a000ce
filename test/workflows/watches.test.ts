import { afterAll, describe, expect, test } from 'bun:test';
import { sendMessages } from '../../src/modules/messages/reconcile.ts';
import { ensureWatchChecks } from '../../src/modules/watches/check-watches.ts';
import { checkWatches } from '../../src/modules/watches/index.ts';
import { watchCheckContract } from '../../src/temporal/contracts/watches.ts';
import { startChat } from '../simulators/chat/server.ts';
import { startSmtpSimulator } from '../simulators/smtp/server.ts';
import { keepHistory } from '../support/history.ts';
import { createTestMember } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestQueries } from '../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
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
const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Three o'clock: the day before can be judged. */
const clock = { now: Math.floor(Date.now() / DAY) * DAY - 20 * DAY + 3 * HOUR };
const service = await startTestService(await testDatabase(), {
  temporal,
  env: {
    EGRESS_ALLOW: `127.0.0.1:${chat.port}`,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'service@example.com',
    PUBLIC_URL: 'https://plane.example.com',
  },
  with: () => ({ clock: () => new Date(clock.now) }),
});
const { call, deps } = service;
await startTestQueries(deps);
await startTestWorker(deps, temporal);

/** An app whose searches of the last whole day are watched, and where its messages go. */
async function watched(rule: object = { kind: 'threshold', side: 'above', value: 3 }) {
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  const path = `/json/${app.appId}`;
  const target = { kind: 'json', name: 'json', target: chat.url(path) };
  expect((await call('/v1/digests/destinations', { headers: org.key, body: target })).status).toBe(
    201,
  );
  const question = { kind: 'series', series: [{ events: ['searched'] }], timezone: 'UTC' };
  const saved = { name: 'Searches', question };
  const of = `/v1/apps/${app.appId}`;
  const questionId = (await call(`${of}/questions`, { headers: org.key, body: saved })).body.id;
  const body = { questionId, figure: { of: 'people' }, rule };
  const watch = (await call(`${of}/watches`, { headers: org.key, body })).body;
  const check = () => checkWatches({ deps, requestId: 'test' }, { orgId: org.orgId });
  return {
    ...{ org, app, path: of, questionId, watch, check },
    /** On the day before today. */
    search: async (people: number) => {
      const ts = new Date(clock.now - 12 * HOUR).toISOString();
      const events = Array.from({ length: people }, (_, n) => ({
        ...{ name: 'searched', ts, anonymousId: `person-000${n}` },
      }));
      if (people === 0) return;
      const sent = await call('/v1/events', { headers: app.device, body: { events } });
      expect(sent.status).toBe(202);
    },
    read: async (tail = '') =>
      (await call(`${of}/watches/${watch.id}${tail}`, { headers: org.key })).body,
    queued: async () => [
      ...(await deps.sql<{ text: string }[]>`
        SELECT text FROM messages WHERE app_id = ${app.appId} ORDER BY text`),
    ],
    received: () => chat.received.filter((one) => one.path === path),
    told: async (count: number) =>
      until(`${count} posts to ${path}`, async (saw) => {
        clock.now += 21_000;
        await sendMessages(deps);
        const posts = chat.received.filter((one) => one.path === path);
        saw(posts.length);
        return posts.length >= count && posts;
      }),
  };
}

const nextDay = () => {
  clock.now = Math.floor(clock.now / DAY) * DAY + DAY + 3 * HOUR;
};
const lineOf = (post: any) => post.body.text.split('\n')[0];

describe('a watch', () => {
  test('is looked at by a schedule, told when it goes beyond, once, and when it is over', async () => {
    const { org, app, watch, search, check, read, told, received } = await watched();
    const { orgId } = org;
    await ensureWatchChecks(deps);
    const schedule = deps.temporal.client.schedule.getHandle(
      watchCheckContract.workflowId({ orgId }),
    );
    expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: HOUR }]);
    let runs = 0;
    const checkBySchedule = async () => {
      runs += 1;
      await schedule.trigger();
      const actions = await until(`${runs} checks`, async () => {
        const { recentActions } = (await schedule.describe()).info;
        return recentActions.length >= runs && recentActions;
      });
      const { workflowId } = actions.at(-1)!.action.workflow;
      await deps.temporal.client.workflow.getHandle(workflowId).result();
      return workflowId;
    };
    await search(5);
    const checked = await checkBySchedule();
    await check();
    const [began] = await told(1);
    expect(lineOf(began)).toMatch(/: “Searches”: 5 people on \w{3} \d+ \w{3}, above 3\.$/);
    expect(began?.body.data.messages).toMatchObject([{ kind: 'watch', appId: app.appId }]);
    const beyond = await read();
    expect(beyond).toMatchObject({ id: watch.id, state: 'beyond', error: null });
    expect(beyond.last).toMatchObject({ value: 5, people: 5, verdict: 'beyond', told: 'began' });
    expect(beyond.since).toBe(beyond.last.to);

    nextDay();
    await search(4);
    await check();
    nextDay();
    await search(2);
    await check();
    const [, over] = await told(2);
    expect(lineOf(over)).toMatch(/“Searches”: 2 people .*, not above 3 any more\.$/);
    expect(received()).toHaveLength(2);
    const history = await read('/history');
    expect(history.map(({ value, told: said }: any) => [value, said])).toEqual([
      [2, 'over'],
      [4, null],
      [5, 'began'],
    ]);
    await keepHistory(deps.temporal.client, checked, 'watch-check/checked');

    const gone = await call(`/v1/apps/${app.appId}/watches/${watch.id}`, {
      method: 'DELETE',
      headers: org.key,
    });
    expect(gone.status).toBe(204);
    await check();
    // The schedule's own run: asked for a schedule that has ended, the client retries for 45 s.
    const ofSchedule = `temporal-sys-scheduler:${watchCheckContract.workflowId({ orgId })}`;
    await until('the schedule ends', async () => {
      const run = await deps.temporal.client.workflow.getHandle(ofSchedule).describe();
      return run.status.name !== 'RUNNING';
    });
    expect(await deps.sql`SELECT FROM watch_checks WHERE org_id = ${orgId}`).toHaveLength(0);
  });

  test('tells a change of its state once, whoever looks at once and whatever dies in between', async () => {
    const { search, check, read, queued } = await watched();
    await search(5);
    await Promise.all([check(), check(), check()]);
    expect(await queued()).toHaveLength(1);
    nextDay();
    await search(1);
    // As if the process died between the look and its message.
    await deps.sql`ALTER TABLE messages ADD CONSTRAINT dead CHECK (kind <> 'watch') NOT VALID`;
    await check();
    await deps.sql`ALTER TABLE messages DROP CONSTRAINT dead`;
    const failed = await read();
    expect(failed).toMatchObject({ state: 'beyond', last: { value: 5 } });
    expect(failed.error).not.toBeNull();
    await check();
    await check();
    expect(await queued()).toHaveLength(2);
    expect(await read()).toMatchObject({ state: 'quiet', error: null, last: { told: 'over' } });
  });

  test('waits two hours for what comes late, and looks at an interval once', async () => {
    const { search, check, read } = await watched();
    clock.now = Math.floor(clock.now / DAY) * DAY + DAY + 2 * HOUR - 1;
    await search(5);
    await check();
    const early = await read();
    expect(early.last).toMatchObject({ value: 0 });
    clock.now += 1;
    await check();
    const late = await read();
    expect(late.last).toMatchObject({ from: early.last.to, value: 5, told: 'began' });
    await check();
    expect(await read('/history')).toHaveLength(2);
    nextDay();
  });

  test('whose question has no such figure any more says so, and goes on when it has', async () => {
    const { org, path, questionId, search, check, read } = await watched();
    const edit = (question: object) =>
      call(`${path}/questions/${questionId}`, {
        ...{ method: 'PUT', headers: org.key, body: { question } },
      });
    await edit({ kind: 'retention' });
    await search(5);
    await check();
    expect(await read()).toMatchObject({ state: 'waiting', last: null });
    expect((await read()).error).toContain('people is a figure of series');
    await edit({ kind: 'series', series: [{ events: ['searched'] }] });
    await check();
    expect(await read()).toMatchObject({ state: 'beyond', error: null });
  });

  test('begins anew when its rule is changed', async () => {
    const { org, path, watch, search, check, read, queued } = await watched();
    await search(5);
    await check();
    const body = { rule: { kind: 'threshold', side: 'below', value: 10 } };
    await call(`${path}/watches/${watch.id}`, { method: 'PUT', headers: org.key, body });
    expect(await read()).toMatchObject({ state: 'waiting', since: null });
    await check();
    expect(await read()).toMatchObject({ state: 'beyond' });
    const [first, second] = await queued();
    expect([first?.text, second?.text]).toEqual([
      expect.stringMatching(/above 3\.$/),
      expect.stringMatching(/below 10\.$/),
    ]);
  });

  test('is told nowhere once somebody ended messages by their link', async () => {
    const { org, search, check, read, told, queued } = await watched();
    await search(5);
    await check();
    const [post] = await told(1);
    const link = new URL(post?.body.text.split('No more of these: ')[1]?.trim() ?? '');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const rawBody = 'List-Unsubscribe=One-Click';
    const ended = await call(`${link.pathname}${link.search}`, { headers: form, rawBody });
    expect(ended.status).toBe(200);
    const settings = await call('/v1/digests/messages', { headers: org.key });
    expect(settings.body.watches).toBe(false);
    nextDay();
    await search(1);
    await check();
    expect(await read()).toMatchObject({ state: 'quiet' });
    expect(await queued()).toHaveLength(1);
  });

  test('of a member who left goes on for the others, and tells them nothing more', async () => {
    const { org, path, questionId, search, check, queued, told } = await watched();
    const owner = await createTestMember(service, org, 'admin');
    const headers = { cookie: owner.cookie };
    const rule = { kind: 'threshold', side: 'above', value: 4 };
    const body = { questionId, figure: { of: 'people' }, rule };
    const made = await call(`${path}/watches`, { headers, body });
    expect(made.body.owner).toEqual({ kind: 'user', id: owner.userId });
    const mail = { kind: 'mail', name: 'Me', target: owner.email };
    const added = await call('/v1/digests/destinations', { headers: org.key, body: mail });
    expect(added.status).toBe(201);
    const left = await call('/v1/auth/organization/leave', {
      ...{ headers, body: { organizationId: org.orgId } },
    });
    expect(left.status).toBe(200);
    await search(5);
    await check();
    expect(await queued()).toHaveLength(2);
    await told(1);
    expect(smtp.mails.filter(({ to }) => to.includes(owner.email))).toEqual([]);
  });
});
