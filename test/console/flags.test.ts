import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const browser = await launchChromium();
let owner: Owner;
let path = '';

beforeAll(async () => {
  if (!browser) return;
  owner = await startOwner(browser);
  const app = await owner.call('POST', '/v1/apps', { slug: 'one', displayName: 'One' });
  if (typeof app !== 'object' || app === null || !('id' in app)) throw new Error('no app');
  path = `/apps/${app.id}/flags`;
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
});

const FLAG = {
  key: 'new_checkout',
  type: 'boolean',
  description: 'The checkout of one page',
  isOn: true,
  variants: [
    { name: 'on', value: true },
    { name: 'off', value: false },
  ],
  defaultVariant: 'off',
  rules: [
    { where: { all: [{ field: 'appVersion', op: 'is', value: '1.2.0' }] }, variant: 'off' },
    {
      where: {
        any: [
          { field: 'country', op: 'isOneOf', values: ['DE', 'AT'] },
          { field: 'prop:plan', op: 'is', value: 'pro' },
        ],
      },
      percent: 25,
      variant: 'on',
    },
  ],
  why: 'First steps',
};

describe.skipIf(!browser)('flags', () => {
  test('are none at first, then listed with their rules as sentences', async () => {
    const { open, page, call } = owner;
    await open(path);
    await page.getByText('No flag yet').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await call('POST', `/v1${path}`, FLAG);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(path);
    const row = page.getByRole('row', { name: /new_checkout/ });
    await row.getByText('Where app version is “1.2.0”, people get “off”.').waitFor();
    const second = 'Where country is “DE” or “AT” or plan is “pro”, 25 % of people get “on”.';
    await row.getByText(second).waitFor();
    await row.getByText('Everybody else gets “off”.').waitFor();
    await row.getByText('Never').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('are switched off with a word why, which the history keeps, and restored', async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Switch off “new_checkout”' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('Within five seconds everybody gets “off”, whatever the rules.')
      .waitFor();
    await dialog.getByLabel('Why').fill('The payment provider is down');
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Off: everybody gets “off”.').waitFor();
    await page.getByRole('link', { name: 'new_checkout' }).click();
    const history = page.getByRole('table', { name: 'History' });
    await history.getByText('The payment provider is down').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await history.getByText('Restored', { exact: true }).waitFor();
    await page.getByText('Everybody else gets “off”.').first().waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });
});
