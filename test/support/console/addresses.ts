import type { Page } from 'playwright-core';
import { CONSOLE_PAGES } from '../../../src/shared/console-pages.ts';

/** The address of every page, those of one experiment and of one person of the app too. */
export async function addressesOf(
  appPath: string,
  open: (path: string) => Promise<Page>,
): Promise<string[]> {
  const firstOf = async (list: string): Promise<string> => {
    const page = await open(`${appPath}/${list}`);
    const link = page.locator(`main a[href*="/${list}/"]`).first();
    await link.waitFor();
    return (await link.getAttribute('href')) ?? '';
  };
  const experiment = await firstOf('experiments');
  const person = await firstOf('people');
  // An address of Questions leads to another page.
  const pages = CONSOLE_PAGES.filter(({ name }) => name !== 'questions');
  return pages.map(({ path }) => {
    if (path.endsWith('/:experimentId')) return experiment;
    if (path.endsWith('/:personId')) return person;
    return path.replace('/apps/:id', appPath);
  });
}
