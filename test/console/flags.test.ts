import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { makeAskedApp } from '../support/console/asked-app.ts';
import { askerAt } from '../support/console/asker.ts';
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
  rule: { all: [{ paying: true }] },
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
    await row.getByText('Where version is 1.2.0, people get “off”.').waitFor();
    const fourth = 'Where in segment “Paying people”, people get “off”.';
    await row.getByText(fourth).waitFor();
    const second =
      'Where country is one of (Germany, Austria) or plan is pro, 25 % of people get “on”.';
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
    await dialog.getByLabel('Reason').fill('The payment provider is down');
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Off: everybody gets “off”.').waitFor();
    await page.getByRole('link', { name: 'new_checkout' }).click();
    const history = page.getByRole('table', { name: 'History' });
    await history.getByText('The payment provider is down').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await dialog.getByLabel('Reason').fill('The provider is back');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await history.getByText('The provider is back').waitFor();
    await history.getByText(/^Restored/).waitFor();
    await page.getByText('Everybody else gets “off”.').first().waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('are made for a segment from its page', async () => {
    const { open, page, call } = owner;
    const app = idOf(await call('POST', '/v1/apps', { slug: 'two', displayName: 'Two' }));
    const segment = idOf(await call('POST', `/v1/apps/${app}/segments`, PAYING));
    await open(`/apps/${app}/segments/${segment}`);
    await page.getByRole('link', { name: 'In a flag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('people in “Paying people” get its second value').waitFor();
    await dialog.getByLabel('Flag', { exact: true }).fill('for_payers');
    await dialog.getByRole('button', { name: 'Create flag (off)' }).click();
    await page.getByText('Where in segment “Paying people”, people get “on”.').first().waitFor();
    expect(page.url()).not.toContain('add=');
  });

  test('are made, given rules of what was really sent, and deleted', async () => {
    const { open, page, call } = owner;
    page.setDefaultTimeout(20_000);
    const app = await makeAskedApp(owner);
    await call('POST', `/v1${app}/segments`, PAYING);
    const arms = ['A', 'B'].map((name) => ({ name, weight: 1 }));
    await call('POST', `/v1${app}/experiments`, { name: 'Two lists', arms });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(`${app}/flags`);
    await page.getByRole('button', { name: 'New flag' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Flag', { exact: true }).fill('list.size');
    await dialog.getByLabel('Kind').selectOption('number');
    await dialog.getByLabel('Name of value 2').fill('long');
    await dialog.getByLabel('Value 1', { exact: true }).fill('10');
    await dialog.getByLabel('Value 2', { exact: true }).fill('25.5');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Create flag (off)' }).click();
    await page.getByText('Everybody gets “v1”.').first().waitFor();
    const asker = askerAt(page);
    const add = page.locator('main').getByRole('button', { name: 'Add a condition' });
    const added = (sentence: string) =>
      page.getByRole('list').getByText(sentence).first().waitFor();
    await asker.choose(add.last(), 'Version', '<', '2.10.0');
    await asker.choose(add.last(), 'Country', 'is', 'Germany');
    await page.getByLabel('People get').selectOption('long');
    await page.getByLabel('Percent of people').fill('25');
    await page.getByLabel('Reason').fill('Old lists are slow');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await added('Where version < 2.10.0 and country is Germany, 25 % of people get “long”.');
    await asker.choose(add.last(), 'in segment', 'in segment', 'Paying people');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await added('Where in segment “Paying people”, people get “v1”.');
    await page.getByLabel('Decided by').selectOption('“Two lists”');
    await page.getByLabel('Variant of “B”').selectOption('long');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await added('Everybody gets “v1” or “long”, by their arm of “Two lists”.');
    const first = page.getByRole('button', { name: /^Remove “Where version/ });
    await first.click();
    await dialog.getByLabel('Reason').fill('They are quick now');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('They are quick now').waitFor();
    expect(await first.count()).toBe(0);
    const [flag] = (await call('GET', `/v1${app}/flags`)) as any[];
    expect(flag).toMatchObject({ type: 'number', isOn: false, version: 5, offVariant: 'v1' });
    expect(flag.variants).toEqual([
      { name: 'v1', value: 10 },
      { name: 'long', value: 25.5 },
    ]);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByLabel(/to confirm/).fill('list.size');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No flag yet').waitFor();
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
    await page.getByRole('button', { name: 'Set values' }).click();
    const given = page.getByRole('table', { name: 'Flags in this experiment' });
    await given.getByText('A: off, One page: on').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('To (%)').fill('30');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('0 to 30 % of layer “checkout”').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
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
    await page.getByRole('button', { name: 'Remove the rule of “new_checkout”' }).click();
    await page.getByText('No flag has a rule by this experiment yet').waitFor();
  });
});
