import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { readRunning } from '../../src/launcher/running.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { startPublisherSimulator } from '../simulators/publisher/simulator.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';
import { until } from '../support/until.ts';

const browser = await launchChromium();
const publisher = await startPublisherSimulator();
const received: string[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    received.push(await request.text());
    return new Response(null, { status: 204 });
  },
});
let owner: Owner;
let appPath = '';
const intakePort = await freePort();

beforeAll(async () => {
  if (!browser) return;
  owner = await startOwner(browser, {
    EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
    PUBLISHER_API_URL: publisher.apiUrl,
    PUBLISHER_API_KEY: 'sim-key',
    INTAKE_PORT: String(intakePort),
  });
  const app = (await owner.call('POST', '/v1/apps', {
    slug: 'focus-timer',
    displayName: 'Focus Timer',
  })) as { id: string };
  appPath = `/apps/${app.id}`;
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
  await publisher.stop();
  await receiver.stop(true);
});

describe.skipIf(!browser)('in the console', () => {
  test('a notice of the store is worth a look until somebody dealt with it', async () => {
    const { page, open, call, instance } = owner;
    const running = await readRunning(instance.dataDir);
    const sql = createSql(running?.env.DATABASE_URL ?? '', {
      ...{ maxConnections: 1, applicationName: 'test' },
    });
    await sql`
      INSERT INTO purchase_notices (org_id, app_id, environment, notice_id, kind, app_transaction,
        notified_at, received_at)
      SELECT org_id, app_id, 'Production', 'notice-1', 'consent_rescinded', '704895312345678901',
        now(), now() FROM apps`;
    await sql.end();
    const title = 'A parent or guardian withdrew consent';
    await open('/');
    const look = page.locator('li', { has: page.getByText(title) });
    await look.getByRole('link', { name: 'Notices' }).click();
    const card = page.getByRole('region', { name: 'Notices of the store' });
    await card.getByText(title).waitFor();
    await card.getByText('704895312345678901').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await card.getByRole('button', { name: 'Mark as dealt with' }).click();
    await card.waitFor({ state: 'detached' });
    const found = await call('GET', `/v1${appPath}/purchases/notices?state=open`);
    expect(found).toMatchObject({ notices: [] });
  });

  test('refund requests are answered once somebody says so', async () => {
    const { page, open, call } = owner;
    await open(`${appPath}/purchases`);
    const card = page.locator('form', { has: page.getByText('Answer the store') });
    await card.getByLabel('Not at all').waitFor();
    expect(await card.getByLabel('Not at all').isChecked()).toBe(true);
    await card.getByLabel('Please decline').check();
    await card.getByLabel('Yes', { exact: true }).check();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved.').waitFor();
    const answers = await call('GET', `/v1${appPath}/purchases/refund-answers`);
    expect(answers).toMatchObject({ answers: 'decline', customersConsent: true });
    await page.getByText('No request yet').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('what counts as used of a product is added, changed and removed', async () => {
    const { page, open, call } = owner;
    await open(`${appPath}/purchases`);
    const card = page.getByRole('region', { name: 'What counts as used' });
    await card.getByText('No rule yet').waitFor();
    await card.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Product id').fill('coins.100');
    await dialog.getByLabel('Counts as used').selectOption('By events since');
    await dialog.getByLabel('Event').fill('coin_spent');
    await dialog.getByLabel('Uses in a purchase').fill('100');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByText('100 × coin_spent').waitFor();
    await card.getByRole('button', { name: 'Add a rule' }).click();
    await dialog.getByLabel('Product id').fill('coins.100');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('coins.100 has a rule already.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.setViewportSize({ width: 1200, height: 900 });
    await card.getByRole('button', { name: 'Change the rule of coins.100' }).click();
    await dialog.getByLabel('Counts as used').selectOption('Half');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByRole('cell', { name: 'Half' }).waitFor();
    expect(await call('GET', `/v1${appPath}/purchases/refund-answers`)).toMatchObject({
      products: [{ productId: 'coins.100', used: 'part' }],
    });
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await card.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('textbox').fill('coins.100');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await card.getByText('No rule yet').waitFor();
  });

  test('ids that name nobody and events that were renamed are shown with the live events', async () => {
    const { page, open, call } = owner;
    const key = (await call('POST', `/v1${appPath}/keys`, { name: 'phones' })) as {
      secret: string;
    };
    const track = (event: string) => ({
      ...{ type: 'track', event, anonymousId: 'device-0001', userId: 'undefined' },
    });
    const sent = await fetch(`http://127.0.0.1:${intakePort}/v1/segment/v1/batch`, {
      method: 'POST',
      body: JSON.stringify({
        writeKey: key.secret,
        batch: [track('1 Onboarding'), track('2 Onboarding')],
      }),
    });
    expect(sent.status).toBe(200);
    await until('both are told', async () => {
      const told = (await call('GET', `/v1${appPath}/events/ingestion`)) as any;
      return told.ignoredIds.length > 0 && told.names.length > 1;
    });
    await open(`${appPath}/live`);
    const count = page.getByRole('button', {
      name: '2 events with an id that names nobody, 1 renamed event',
    });
    await count.click();
    const ids = page.getByRole('table', { name: 'Ids that name nobody' });
    await ids.getByRole('row', { name: /^userId 2 / }).waitFor();
    const renamed = page.getByRole('table', { name: 'Renamed events' });
    const row = /^2 Onboarding onboarding_[0-9a-f]{8} 1 Onboarding /;
    await renamed.getByRole('row', { name: row }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('the event that the live events are narrowed to is taken away again', async () => {
    const { page, open } = owner;
    await open(`${appPath}/live?event=opened`);
    await page.locator('.chip-remove').first().click();
    await page.waitForURL((url) => !url.search.includes('event='));
  });

  test('logs are searched, and followed as they come', async () => {
    const { page, open, call } = owner;
    await open('/logs');
    await page.getByText('No entry in this time').waitFor();
    await call('POST', '/v1/logs', { level: 'info', message: 'deployed', service: 'web' });
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('cell', { name: 'deployed' }).waitFor();
    const failed = { level: 'error', message: 'mail refused', service: 'mailer' };
    await call('POST', '/v1/logs', { ...failed, fields: { requestId: 'req-7', to: 'nobody' } });
    await page.getByRole('cell', { name: 'mail refused' }).waitFor();
    const search = page.getByRole('main').getByLabel('Search');
    await search.fill('req-7');
    await search.press('Enter');
    await page.getByText('1 of 1 entry').waitFor();
    await page.locator('.table .row-link').click();
    await page.getByText('"requestId": "req-7"').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.getByRole('button', { name: 'Level' }).click();
    await page.getByRole('menuitemradio', { name: 'Info' }).click();
    await page.getByText('No entry fits').waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?follow=on&q=req-7&entry=\w+&level=info$/);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('the organization is named, and the days of its apps are cut by a zone', async () => {
    const { page, open } = owner;
    await open('/organization');
    await page.getByLabel('Name', { exact: true }).fill('Acme Apps');
    await page.locator('form', { hasText: 'Short name' }).getByRole('button').click();
    await page.getByText('Saved.').first().waitFor();
    await open(`${appPath}/settings`);
    await page.getByRole('button', { name: 'Time zone: UTC' }).click();
    await page.getByPlaceholder('Search').fill('tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await owner.call('GET', `/v1${appPath}/settings`)).toMatchObject({
      timezone: 'Asia/Tokyo',
    });
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('money is shown in the currency of the organization', async () => {
    const { page, open, call } = owner;
    await open('/organization');
    const own = page.locator('section', { has: page.getByRole('heading', { name: 'Currency' }) });
    await own.getByLabel('Currency').fill('eur');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('Saved.').waitFor();
    expect(await call('GET', '/v1/organization/settings')).toEqual({ currency: 'EUR' });
    const answered = page.waitForResponse((response) => response.url().includes('/v1/analytics'));
    await open('/sales');
    expect(await (await answered).json()).toMatchObject({ currency: 'EUR' });
    expect(new URL(page.url()).search).toBe('');
  });

  test('its digest and messages go where one says, and wait in quiet hours', async () => {
    const { page, open } = owner;
    await open('/messages');
    await page.getByText('No destinations yet').waitFor();
    await page.getByRole('button', { name: 'Add a destination' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('By', { exact: true }).selectOption('json');
    await dialog.getByLabel('Name it').fill('Our server');
    const target = `http://127.0.0.1:${receiver.port}/digest`;
    await dialog.getByLabel('Address', { exact: true }).fill(target);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('It arrived.').waitFor();
    expect(received).toHaveLength(1);

    const refunds = page.getByRole('row', { name: /^Refunds/ });
    await refunds.getByRole('checkbox').check();
    await refunds.getByText('goes there').waitFor();
    await page.getByLabel('Send: Morning digest').check();
    await page.getByLabel('Quiet hours').selectOption('on');
    await page.getByLabel('From').selectOption('23');
    await page.getByRole('button', { name: /^Time zone/ }).click();
    await page.getByPlaceholder('Search').fill('berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await owner.call('GET', '/v1/digests')).toMatchObject({
      isOn: true,
      timezone: 'Europe/Berlin',
    });
    expect(await owner.call('GET', '/v1/digests/messages')).toEqual({
      alerts: false,
      subscribers: false,
      refunds: true,
      billingProblems: false,
      watches: true,
      quietHours: { timezone: 'Europe/Berlin', fromHour: 23, toHour: 7 },
    });
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('accounts of an app are connected, and their posts and reach shown', async () => {
    const { page, open } = owner;
    await open(`${appPath}/marketing`);
    await page.getByText('Nothing waits to be published').waitFor();
    // What they do stands in a table below once they are connected.
    const photos = page.locator('section', { hasText: 'Photo feed (Instagram)' }).first();
    await photos.getByRole('button', { name: 'Connect' }).click();
    const link = photos.getByRole('link', { name: /it works once/ });
    const url = (await link.getAttribute('href')) ?? '';
    await fetch(`${url}&platform=instagram`, { method: 'POST', redirect: 'manual' });
    await page.getByRole('button', { name: 'Check the accounts now' }).click();
    await photos.getByText('Connected', { exact: true }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(owner.faults).toEqual([]);
  });

  test('an organization is deleted by who types its name', async () => {
    const { page, open } = owner;
    await open('/organization');
    await page.getByRole('button', { name: 'Delete the organization' }).click();
    const dialog = page.getByRole('dialog');
    const slug = await page.getByLabel('Short name in addresses').inputValue();
    await dialog.getByRole('textbox').fill('Acme Apps');
    await dialog.getByRole('button', { name: 'Delete the organization' }).click();
    await dialog.getByText(`Type "${slug}" to confirm.`).waitFor();
    await dialog.getByRole('textbox').fill(slug);
    await dialog.getByRole('button', { name: 'Delete the organization' }).click();
    await page.getByText('You belong to no organization.').waitFor();
  });
});
