import { afterAll, describe, expect, test } from 'bun:test';
import { sendMessage } from '../../src/modules/messages/index.ts';
import { ensureAlertChecks, sendMessages } from '../../src/modules/messages/reconcile.ts';
import { alertCheckContract, messagePostContract } from '../../src/temporal/contracts/messages.ts';
import { startChat } from '../simulators/chat/server.ts';
import { startSmtpSimulator } from '../simulators/smtp/server.ts';
import type { SimulatedSubscription } from '../simulators/store-server/subscription.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../support/purchase-service.ts';
import { startTestQueries } from '../support/queries.ts';
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
const service = await startPurchaseService(await testDatabase(), {
  temporal,
  env: {
    EGRESS_ALLOW: `127.0.0.1:${chat.port}`,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'service@example.com',
    PUBLIC_URL: 'https://plane.example.com',
  },
});
const { call, deps, clock } = service;
await startTestQueries(deps);
await startTestWorker(deps, temporal);

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OFF = { alerts: false, subscribers: false, refunds: false, billingProblems: false };
const PURCHASES = { ...OFF, subscribers: true, refunds: true, billingProblems: true };

const set = async ({ org }: PurchaseApp, settings: object) => {
  const body = { ...OFF, quietHours: null, ...settings };
  const answer = await call('/v1/digests/messages', { method: 'PUT', headers: org.key, body });
  expect(answer).toMatchObject({ status: 200, body });
};
const send = async ({ org }: PurchaseApp, kind: string, target: string): Promise<string> => {
  const body = { kind, name: kind, target };
  const answer = await call('/v1/digests/destinations', { headers: org.key, body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id;
};
const receivedAt = (path: string) => chat.received.filter((one) => one.path === path);
const told = (count: number, path: string) =>
  until(`${count} posts to ${path}`, (saw) => {
    const posts = receivedAt(path);
    saw(posts.length);
    return posts.length >= count && posts;
  });
/** As the reconciler does every two seconds; the next bundle may be made after the pause. */
const round = async () => {
  clock.now += 21 * SECOND;
  await sendMessages(deps);
};
const last = (subscription: SimulatedSubscription) => subscription.told.at(-1)!;
const linesOf = (text: string) => text.split('\n\n')[0]?.split('\n');
const bundlesOf = async ({ org }: PurchaseApp) => [
  ...(await deps.sql<{ bundleId: string }[]>`
  SELECT bundle_id AS "bundleId" FROM message_bundles WHERE org_id = ${org.orgId}`),
];

describe('messages at once', () => {
  test('are off until somebody switches them on, and then one line for each happening', async () => {
    const app = await service.app();
    await send(app, 'slack', chat.url('/services/T0/B0/lines'));
    await send(app, 'discord', chat.url('/api/webhooks/1/lines'));
    await send(app, 'json', chat.url('/json/lines'));
    const address = app.org.email;
    await send(app, 'mail', address);
    const before = buy(app, clock.now - 2 * HOUR);
    await service.deliver(before, last(before), app);
    await set(app, PURCHASES);

    const sold = buy(app, clock.now - HOUR);
    await service.deliver(sold, last(sold), app);
    await service.deliver(sold, last(sold), app);
    const sandbox = buy(app, clock.now - HOUR, { environment: 'Sandbox' });
    await service.deliver(sandbox, last(sandbox), app);
    const family = buy(app, clock.now - HOUR, { family: true });
    await service.deliver(family, last(family), app);
    await round();
    await told(1, '/json/lines');
    sold.refund();
    await service.deliver(sold, last(sold), app);
    await round();
    await told(2, '/json/lines');
    const failing = buy(app, clock.now - 30 * DAY);
    await service.deliver(failing, last(failing), app);
    failing.failIntoRetry();
    await service.deliver(failing, last(failing), app);
    await round();
    await round();

    const posts = await told(3, '/json/lines');
    const lines = posts.map(({ body }) => linesOf(body.text));
    const name = posts[0]?.body.data.messages[0].appName;
    expect(lines).toEqual([
      [`${name}: New subscriber: pro.monthly, 9.99 USD`],
      [`${name}: Refund: pro.monthly, 9.99 USD`],
      [`${name}: Billing problem: pro.monthly, 9.99 USD`],
    ]);
    expect(posts[0]?.body).toMatchObject({
      type: 'messages',
      data: { messages: [{ kind: 'subscriber', appId: app.appId }] },
    });
    const ids = posts.map(({ headers }) => headers.get('webhook-id'));
    expect(new Set(ids).size).toBe(3);
    await told(3, '/services/T0/B0/lines');
    await told(3, '/api/webhooks/1/lines');
    await smtp.nextMailTo(address, 2);
    const mail = smtp.mails.find(({ to, text }) => to.includes(address) && /New sub/.test(text))!;
    const headers = mail.headers.replaceAll(/\r\n\s+/g, ' ');
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(headers).toMatch(/Message-ID: <bun_\w+\.dst_\w+@plane\.example\.com>/);
    expect(chat.refused).toEqual([]);
    const [{ bundleId } = { bundleId: '' }] = await bundlesOf(app);
    const [post] = await deps.sql<{ destinationId: string }[]>`
      SELECT destination_id AS "destinationId" FROM message_posts WHERE bundle_id = ${bundleId}`;
    const id = messagePostContract.workflowId({ orgId: app.org.orgId, bundleId, ...post! });
    await keepHistory(deps.temporal.client, id, 'message-post/sent');
  });

  test('that are many become one post, and more than twenty in a minute one line', async () => {
    const app = await service.app();
    await send(app, 'json', chat.url('/json/many'));
    await set(app, { subscribers: true });
    const subscribe = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const one = buy(app, clock.now - HOUR);
        await service.deliver(one, last(one), app);
      }
    };
    await subscribe(3);
    await round();
    await subscribe(18);
    await round();
    const [few, many] = (await told(2, '/json/many')) as any[];
    expect(linesOf(few.body.text)).toHaveLength(3);
    const name = few.body.data.messages[0].appName;
    expect(linesOf(many.body.text)).toEqual([`${name}: 18 new subscribers`]);
    expect(many.body.data.messages).toHaveLength(18);
    // Within the pause there is no further post; what comes meanwhile waits for its end.
    await subscribe(1);
    await sendMessages(deps);
    expect(await bundlesOf(app)).toHaveLength(2);
    clock.now += 60 * SECOND;
    await sendMessages(deps);
    expect(linesOf((await told(3, '/json/many'))[2]?.body.text)).toHaveLength(1);
  });

  test('wait for the end of quiet hours, and are dropped where their kind is switched off', async () => {
    const app = await service.app();
    await send(app, 'json', chat.url('/json/quiet'));
    const hour = new Date(clock.now).getUTCHours();
    const quietHours = { timezone: 'UTC', fromHour: hour, toHour: (hour + 2) % 24 };
    await set(app, { ...PURCHASES, quietHours });
    const sold = buy(app, clock.now - HOUR);
    await service.deliver(sold, last(sold), app);
    await round();
    expect(await bundlesOf(app)).toEqual([]);
    clock.now += 2 * HOUR;
    await round();
    await told(1, '/json/quiet');
    sold.refund();
    await service.deliver(sold, last(sold), app);
    await set(app, { subscribers: true });
    await round();
    expect(await bundlesOf(app)).toHaveLength(1);
  });

  test('are sent again when refused, given up where the address is gone, and known by their id', async () => {
    const app = await service.app();
    const json = await send(app, 'json', chat.url('/json/again'));
    const slack = await send(app, 'slack', chat.url('/services/T0/B0/again'));
    await send(app, 'discord', chat.url('/api/webhooks/1/away'));
    chat.misbehave('/json/again', { status: 429, headers: { 'retry-after': '1' } });
    chat.misbehave('/api/webhooks/1/away', { status: 404 });
    await set(app, PURCHASES);
    const sold = buy(app, clock.now - HOUR);
    await service.deliver(sold, last(sold), app);
    await round();
    const [first] = await told(1, '/json/again');
    await told(1, '/services/T0/B0/again');
    const list = await until('the address that is gone is given up', async () => {
      const { body } = await call('/v1/digests/destinations', { headers: app.org.key });
      return body.some(({ goneReason }: any) => goneReason !== null) && body;
    });
    expect(list.map(({ goneReason }: any) => goneReason)).toEqual([
      null,
      null,
      'The address answered 404.',
    ]);

    // A worker that died while it posted: nobody knows whether it arrived.
    const [{ bundleId } = { bundleId: '' }] = await bundlesOf(app);
    const post = (destinationId: string) => ({ orgId: app.org.orgId, bundleId, destinationId });
    const died = (secondsAgo: number) => deps.sql`
      UPDATE message_posts SET state = 'posting',
        claimed_at = ${new Date(clock.now - secondsAgo * SECOND)} WHERE bundle_id = ${bundleId}`;
    const attempt = (id: string) => sendMessage({ deps, requestId: 'test' }, post(id));
    await died(10);
    expect(attempt(json)).rejects.toThrow('Another worker is posting it.');
    for (let times = 0; times < 3; times += 1) {
      await died(61);
      await attempt(json);
      await attempt(slack);
    }
    const again = receivedAt('/json/again');
    expect(again).toHaveLength(4);
    const id = first?.headers.get('webhook-id');
    expect(again.map(({ headers }) => headers.get('webhook-id'))).toEqual([id, id, id, id] as any);
    expect(receivedAt('/services/T0/B0/again')).toHaveLength(2);
    await attempt(json);
    expect(receivedAt('/json/again')).toHaveLength(4);
  });

  test('end by the button of a page, never by following its link', async () => {
    const app = await service.app();
    await send(app, 'json', chat.url('/json/end'));
    await send(app, 'mail', app.org.email);
    await set(app, { ...PURCHASES, alerts: true });
    const sold = buy(app, clock.now - HOUR);
    await service.deliver(sold, last(sold), app);
    await round();
    const [post] = await told(1, '/json/end');
    const mail = await smtp.mailTo(app.org.email);
    const linkOf = (text: string) => new URL(text.split('No more of these: ')[1]?.trim() ?? '');
    const settings = async () =>
      (await call('/v1/digests/messages', { headers: app.org.key })).body;
    const open = ({ pathname, search }: URL, more: object = {}) =>
      call(`${pathname}${search}`, more);
    const form = {
      method: 'POST',
      rawBody: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };

    const ofMail = linkOf(mail.text);
    expect((await open(ofMail)).text).toContain('<form method="post">');
    expect((await open(ofMail, form)).status).toBe(200);
    const { body: list } = await call('/v1/digests/destinations', { headers: app.org.key });
    expect(list.map(({ goneReason }: any) => goneReason !== null)).toEqual([false, true]);
    expect(await settings()).toMatchObject({ ...PURCHASES, alerts: true });

    const link = linkOf(post?.body.text);
    const wrong = new URL(link.href.replace('token=', 'token=x'));
    expect((await open(wrong)).status).toBe(404);
    expect((await open(wrong, form)).status).toBe(404);
    const digest = new URL(link.href.replace('what=messages', 'what=digest'));
    expect((await open(digest, form)).status).toBe(404);
    const page = await open(link);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(await settings()).toMatchObject({ ...PURCHASES, alerts: true });
    const button = { ...form, headers: { ...form.headers, origin: 'https://plane.example.com' } };
    expect((await open(link, button)).text).toContain('It is off');
    expect(await settings()).toMatchObject(OFF);
  });
});

describe('alerts', () => {
  test('are looked for every hour, told when they begin and once', async () => {
    const app = await service.app();
    await send(app, 'json', chat.url('/json/alerts'));
    const ts = new Date(clock.now).toISOString();
    const events = Array.from({ length: 100 }, (_, index) => ({
      name: 'opened',
      ts,
      anonymousId: `somebody-${index}`,
    }));
    const body = { events, context: { platform: 'ios' } };
    expect((await call('/v1/events', { headers: app.device, body })).status).toBe(202);
    // As compaction counts them; of an app with events in every hour, days of silence are news.
    await deps.sql`
      INSERT INTO event_ingestion_hours (org_id, app_id, hour, accepted, duplicates, shifted,
        without_ts, too_old)
      SELECT ${app.org.orgId}, ${app.appId},
        date_trunc('hour', ${ts}::timestamptz) - n * interval '1 hour', 10, 0, 0, 0, 0
      FROM generate_series(0, 60) n`;
    await set(app, { alerts: true });
    await ensureAlertChecks(deps);
    const { orgId } = app.org;
    const schedule = deps.temporal.client.schedule.getHandle(
      alertCheckContract.workflowId({ orgId }),
    );
    const { info, spec } = await schedule.describe();
    expect(spec.intervals).toMatchObject([{ every: HOUR }]);
    expect(info.numActionsTaken).toBe(0);
    const check = async (count: number) => {
      await schedule.trigger();
      const actions = await until(`${count} checks`, async () => {
        const { recentActions } = (await schedule.describe()).info;
        return recentActions.length >= count && recentActions;
      });
      const { workflowId } = actions.at(-1)!.action.workflow;
      await deps.temporal.client.workflow.getHandle(workflowId).result();
      await round();
      return workflowId;
    };
    await check(1);
    expect(await bundlesOf(app)).toEqual([]);
    clock.now += 4 * DAY;
    const checked = await check(2);
    const [post] = await told(1, '/json/alerts');
    expect(linesOf(post?.body.text)?.[0]).toMatch(/^! .*: No events are arriving\. The last event/);
    expect(post?.body.data.messages).toMatchObject([{ kind: 'alert', appId: app.appId }]);
    await check(3);
    expect(await bundlesOf(app)).toHaveLength(1);
    await keepHistory(deps.temporal.client, checked, 'alert-check/checked');
    await set(app, OFF);
    await ensureAlertChecks(deps);
    expect(schedule.describe()).rejects.toThrow();
  });
});
