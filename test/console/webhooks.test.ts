import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const browser = await launchChromium();
let owner: Owner;
let answer = 204;
const received: { id: string; type: string }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { type } = (await request.json()) as { type: string };
    received.push({ id: request.headers.get('webhook-id') ?? '', type });
    return new Response(null, { status: answer });
  },
});

beforeAll(async () => {
  if (!browser) return;
  owner = await startOwner(browser, { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` });
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
  await receiver.stop(true);
});

describe.skipIf(!browser)('a webhook', () => {
  test('is created with the events one chooses, and its secret shown once', async () => {
    const { open, page } = owner;
    await open('/webhooks');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.port}/hooks`);
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByLabel('A subscription began').check();
    await page.getByLabel('An app was made').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('Shown this once').waitFor();
    expect(await page.locator('.notice code').textContent()).toMatch(/^whsec_/);
    await page.getByText('Nothing was sent yet').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(await page.getByText('whsec_').count()).toBe(0);
  });

  test('is tested, and the delivery seen to arrive', async () => {
    const { page } = owner;
    await page.getByLabel('Test event').selectOption('subscription.started.v1');
    await page.getByRole('button', { name: 'Send a test' }).click();
    const first = page.getByRole('row', { name: /subscription\.started\.v1/ });
    await first.getByText('Delivered').waitFor();
    await first.getByText('204 (1)').click();
    await first.getByText(/204, \d+ ms/).waitFor();
    expect(received.map(({ type }) => type)).toEqual(['subscription.started.v1']);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('shows what failed and why, and sends one and a range of them again', async () => {
    const { page, call } = owner;
    answer = 410;
    await call('POST', '/v1/apps', { slug: 'one', displayName: 'One' });
    const created = page.getByRole('row', { name: /app\.created/ });
    await created.getByText(/^410/).first().waitFor();
    answer = 204;
    await created.getByRole('button', { name: 'Send again' }).click();
    await created.getByText('Delivered').waitFor();
    expect(new Set(received.map(({ id }) => id)).size).toBe(2);

    const before = received.length;
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await page.getByLabel('From').fill(yesterday.slice(0, 'YYYY-MM-DDTHH:mm'.length));
    await page.getByLabel('Which').selectOption('any');
    const form = page.locator('form', { hasText: 'Which' });
    await form.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('2 deliveries are on their way.').waitFor();
    await page.locator('.table strong.good').nth(1).waitFor();
    expect(received.length).toBeGreaterThanOrEqual(before);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('is changed, switched off, given another secret and deleted', async () => {
    const { page } = owner;
    await page.getByText('Address and events').click();
    await page.getByLabel('A purchase was refunded').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Switched off:').waitFor();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch off' }).waitFor();

    const host = `127.0.0.1:${receiver.port}`;
    const confirm = async (name: string) => {
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill(host);
      await dialog.getByRole('button', { name }).click();
    };
    await confirm('Replace the secret');
    await page.getByText('Shown this once').waitFor();
    await page.getByText('signs too until').waitFor();
    await confirm('Delete');
    await page.getByText('No webhook yet').waitFor();
    expect(owner.faults).toEqual([]);
  });
});
