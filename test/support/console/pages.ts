import { CONSOLE_PAGES, isOfApp } from '../../../src/shared/console-pages.ts';

/** Pages of an organization. */
export const ORGANIZATION_PAGES = CONSOLE_PAGES.filter((page) => !isOfApp(page)).map(
  ({ path }) => path,
);

/** Pages of an app, behind its own address. */
export const APP_PAGES = CONSOLE_PAGES.filter(
  (page) => isOfApp(page) && page.group !== 'detail',
).map(({ path }) => path.replace('/apps/:id/', ''));
