export type Shown = { name: string; path: string };

/** Pages by their address; `:app` is the address of the larger app of the demo. */
export const APP_PAGES: readonly Shown[] = [
  { name: 'home', path: '/' },
  { name: 'today', path: ':app/today' },
  { name: 'live', path: ':app/live' },
  { name: 'trends', path: ':app/trends' },
  { name: 'trends-by-platform', path: ':app/trends?event=app_opened&breakdown=platform' },
  { name: 'retention', path: ':app/retention' },
  { name: 'funnels', path: ':app/funnels' },
  { name: 'funnels-by-version', path: ':app/funnels?breakdown=appVersion&compare=previous' },
  { name: 'funnel-editor', path: ':app/funnels?edit=new' },
  { name: 'subscribers', path: ':app/subscribers' },
  { name: 'experiments', path: ':app/experiments' },
  { name: 'people', path: ':app/people' },
  { name: 'purchases', path: ':app/purchases' },
  { name: 'connect', path: ':app/connect' },
  { name: 'sales', path: '/sales' },
  { name: 'store', path: '/store' },
  { name: 'marketing', path: ':app/marketing' },
  { name: 'app-settings', path: ':app/settings' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'logs', path: '/logs' },
  { name: 'messages', path: '/messages' },
  { name: 'members', path: '/members' },
  { name: 'keys', path: '/keys' },
  { name: 'organization', path: '/organization' },
  { name: 'status', path: '/status' },
  { name: 'account', path: '/account' },
  { name: 'help', path: '/help/funnels' },
];

/** Pages of one thing: the first link of a list whose address has this in it. */
export const FIRST_OF = [
  { name: 'experiment', list: ':app/experiments', begin: '/experiments/' },
  { name: 'person', list: ':app/people', begin: '/people/' },
];
