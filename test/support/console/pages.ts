import { CONSOLE_PAGES } from '../../../src/http/console.ts';

/** Pages of an organization. */
export const ORGANIZATION_PAGES = CONSOLE_PAGES.filter((path) => !path.includes('*'));

/** Pages of an app, behind its own address. */
export const APP_PAGES = [
  'today',
  'live',
  'trends',
  'retention',
  'funnels',
  'experiments',
  'people',
  'subscribers',
  'purchases',
  'marketing',
  'settings',
  'connect',
] as const;
