import type { Locator, Page } from 'playwright-core';

/** A value that the app never sent. */
export const OWN_VALUE = 'nightly';

/** Asks in the console as a person does, and counts what they do: an act is a chip with its choices. */
export function askerAt(page: Page) {
  let acts = 0;
  const sentence = page.getByRole('region', { name: 'What is asked' });
  const row = (index: number): Locator => sentence.locator('.ask-row').nth(index);
  const open = page.locator('[popover]:popover-open');
  /** Types what is wanted into each list that comes and takes what fits best. */
  const choose = async (button: Locator, ...choices: string[]) => {
    acts += 1;
    await button.click();
    for (const choice of choices) {
      await open.getByRole('combobox').fill(choice);
      const options = open.getByRole('option', { name: choice });
      // What was typed is offered before what was sent has come.
      const known = options.filter({ hasNotText: /^Use “/ });
      await (choice === OWN_VALUE ? options : known).first().click();
    }
    await open.waitFor({ state: 'hidden' });
  };
  const menu = async (name: RegExp, item: string | RegExp) => {
    acts += 1;
    await page.locator('main').getByRole('button', { name }).first().click();
    const label = page.getByText(item, { exact: true });
    await open.getByRole('menuitemradio').filter({ has: label }).click();
  };
  return {
    row,
    acts: () => acts,
    begin: () => {
      acts = 0;
    },
    kind: (name: string) => menu(/^Question: /, name),
    menu,
    event: (index: number, name: string) =>
      choose(row(index).getByRole('button', { name: /^Event: / }), name),
    condition: (index: number, ...choices: string[]) =>
      choose(row(index).getByRole('button', { name: 'Add a condition' }).last(), ...choices),
    breakdown: (name: string) =>
      choose(sentence.getByRole('button', { name: 'Break down by' }).last(), name),
    choose,
    press: async (name: string) => {
      acts += 1;
      await page.getByRole('button', { name, exact: true }).click();
    },
    settled: () => page.locator('main:not(:has([aria-busy="true"]))').waitFor(),
  };
}

/** What a page says below the question: its tables, and the titles of its charts. */
export async function saidBy(page: Page): Promise<string[]> {
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
  const cards = page.locator('main .card:not(.ask)');
  await cards.first().waitFor();
  return (await cards.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
}
