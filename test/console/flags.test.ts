import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const browser = await launchChromium();
let owner: Owner;
let path = '';

function idOf(made: unknown): string {
  if (typeof made !== 'object' || made === null || !('id' in made)) throw new Error('nothing made');
  return String(made.id);
}

beforeAll(async () => {
  if (!browser) return;
  owner = await startOwner(browser);
  const app = await owner.call('POST', '/v1/apps', { slug: 'one', displayName: 'One' });
  path = `/apps/${idOf(app)}/flags`;
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

const PAYING = {
  name: 'Paying people',
  rule: { all: [{ entitled: true }] },
};

describe.skipIf(!browser)('flags', () => {
  test('are none at first, then listed with their rules as sentences', async () => {
    const { open, page, call } = owner;
    await open(path);
    await page.getByText('No flag yet').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    const made = await call('POST', `/v1${path.replace('flags', 'segments')}`, PAYING);
    const rule = { where: { all: [{ segment: idOf(made), is: true }] }, variant: 'off' };
    await call('POST', `/v1${path}`, { ...FLAG, rules: [...FLAG.rules, rule] });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(path);
    const row = page.getByRole('row', { name: /new_checkout/ });
    await row.getByText('Where app version is “1.2.0”, people get “off”.').waitFor();
    const fourth = 'Where they are in “Paying people”, people get “off”.';
    await row.getByText(fourth).waitFor();
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

  test('get an exclusive experiment, whose arms are their variants, from the console', async () => {
    const { open, page } = owner;
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(path.replace('flags', 'experiments'));
    await page.getByRole('button', { name: 'New experiment' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Arms differ in').selectOption('flags');
    await dialog.getByLabel('Name', { exact: true }).fill('Checkout of one page');
    await dialog.getByLabel('Name of the arm').nth(1).fill('One page');
    await dialog.getByLabel('Layer').fill('checkout');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByLabel('To (%)').press('Enter');
    await page.getByText('0 to 50 % of layer “checkout”').waitFor();
    await page.getByText('No flag has a rule by this experiment yet').waitFor();
    expect(await page.getByLabel('Onboarding', { exact: true }).count()).toBe(0);
    await page.getByLabel('Variant of “One page”').selectOption('on');
    await page.getByLabel('Variant of “A”').selectOption('off');
    await page.getByRole('button', { name: 'Give the arms variants' }).click();
    const given = page.getByRole('table', { name: 'Flags by its arms' });
    await given.getByText('A: off, One page: on').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('To (%)').fill('30');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('0 to 30 % of layer “checkout”').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Running').first().waitFor();
    await given.getByRole('link', { name: 'new_checkout' }).click();
    const sentence = 'Everybody gets “off” or “on”, by their arm of “Checkout of one page”.';
    await page.getByText(sentence).first().waitFor();
    const listed = page.getByRole('table', { name: 'Experiments' });
    await listed.getByText('Running').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await listed.getByRole('link', { name: 'Checkout of one page' }).click();
    await given.getByText('A: off, One page: on').waitFor();
    await page.getByRole('button', { name: 'Take away the rule of “new_checkout”' }).click();
    await page.getByText('No flag has a rule by this experiment yet').waitFor();
  });
});
