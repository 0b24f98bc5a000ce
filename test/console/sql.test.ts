import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const browser = await launchChromium();
let owner: Owner;

beforeAll(async () => {
  if (browser) owner = await startOwner(browser);
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
});

describe.skipIf(!browser)('in the console', () => {
  test('SQL is asked, drawn, saved and found again', async () => {
    const { page, open } = owner;
    await open('/sql');
    const text = page.getByRole('textbox', { name: 'Question' });
    await text.fill("SELECT 'n' || i AS name, i * $by AS figure FROM range(3) t(i)");
    await page.getByRole('textbox', { name: 'Value of by' }).fill('21');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('cell', { name: '42', exact: true }).first().waitFor();
    await page.getByRole('heading', { name: 'Answer as a chart' }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Thrice');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/sql?query=qry_*');
    await page.reload();
    await page.getByRole('textbox', { name: 'Value of by' }).waitFor();
    expect(await text.inputValue()).toContain('range(3)');

    await page.locator('summary', { hasText: 'events' }).first().click();
    await text.fill('');
    await page.getByRole('button', { name: 'Add events to the question' }).click();
    expect(await text.inputValue()).toBe('events');
    await text.fill("SELECT * FROM read_csv('/etc/passwd')");
    await page.keyboard.press('Control+Enter');
    await page.getByText('"read_csv" cannot be read from').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });
});
