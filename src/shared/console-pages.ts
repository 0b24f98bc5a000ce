export type PageGroup = 'top' | 'app' | 'product' | 'money' | 'connections' | 'settings' | 'detail';

export type TabGroup = 'connections' | 'settings';

type Described = {
  path: string;
  group: PageGroup;
  /** Path of its chunk, below `src/console/pages`, without its ending. */
  source: string;
  /** The letter after "g" that leads to it. */
  key?: string;
};

const PAGES = {
  home: { path: '/', group: 'top', source: 'home/home', key: 'h' },
  sales: { path: '/sales', group: 'top', source: 'sales/sales', key: 's' },
  sql: { path: '/sql', group: 'top', source: 'sql/sql', key: 'w' },
  today: { path: '/apps/:id/today', group: 'app', source: 'today/today', key: 't' },
  live: { path: '/apps/:id/live', group: 'product', source: 'live/live', key: 'l' },
  trends: { path: '/apps/:id/trends', group: 'product', source: 'trends/trends', key: 'n' },
  funnels: { path: '/apps/:id/funnels', group: 'product', source: 'funnels/funnels', key: 'f' },
  retention: {
    path: '/apps/:id/retention',
    group: 'product',
    source: 'retention/retention',
    key: 'r',
  },
  questions: { path: '/apps/:id/questions', group: 'detail', source: 'questions/moved' },
  segments: { path: '/apps/:id/segments', group: 'product', source: 'segments/index', key: 'd' },
  segment: { path: '/apps/:id/segments/:segmentId', group: 'detail', source: 'segments/index' },
  people: { path: '/apps/:id/people', group: 'product', source: 'people/index', key: 'p' },
  person: { path: '/apps/:id/people/:personId', group: 'detail', source: 'people/index' },
  flags: { path: '/apps/:id/flags', group: 'product', source: 'flags/flags', key: 'a' },
  subscribers: {
    path: '/apps/:id/subscribers',
    group: 'money',
    source: 'subscribers/subscribers',
    key: 'u',
  },
  experiments: {
    path: '/apps/:id/experiments',
    group: 'money',
    source: 'experiments/index',
    key: 'e',
  },
  experiment: {
    path: '/apps/:id/experiments/:experimentId',
    group: 'detail',
    source: 'experiments/index',
  },
  storefront: { path: '/apps/:id/storefront', group: 'money', source: 'storefront/storefront' },
  marketing: { path: '/apps/:id/marketing', group: 'money', source: 'marketing/marketing' },
  connect: { path: '/apps/:id/connect', group: 'connections', source: 'connections', key: 'c' },
  store: { path: '/store', group: 'connections', source: 'stores' },
  purchases: { path: '/apps/:id/purchases', group: 'connections', source: 'stores' },
  webhooks: { path: '/webhooks', group: 'connections', source: 'connections' },
  messages: { path: '/messages', group: 'connections', source: 'connections' },
  appSettings: {
    path: '/apps/:id/settings',
    group: 'settings',
    source: 'settings',
  },
  organization: { path: '/organization', group: 'settings', source: 'settings' },
  members: { path: '/members', group: 'settings', source: 'settings', key: 'm' },
  keys: { path: '/keys', group: 'settings', source: 'settings', key: 'k' },
  audit: { path: '/audit', group: 'settings', source: 'settings' },
  logs: { path: '/logs', group: 'settings', source: 'settings' },
  account: { path: '/account', group: 'settings', source: 'settings' },
  status: { path: '/status', group: 'settings', source: 'settings', key: 'i' },
} as const satisfies Record<string, Described>;

/** Also of its text, icon, loader and picture. */
export type PageName = keyof typeof PAGES;
export type ConsolePage = Described & { name: PageName };

/** In the order of the navigation. */
export const CONSOLE_PAGES: readonly ConsolePage[] = typedKeys(PAGES).map((name) => ({
  name,
  ...PAGES[name],
}));

/** Guarantee: `PAGES` is constant, so it has no keys but those of its type. */
function typedKeys<T extends object>(pages: T): (keyof T)[] {
  return Object.keys(pages) as (keyof T)[];
}

/** Where links of mails lead to; drawn without the shell. */
export const ARRIVAL_PATHS = ['/accept-invitation', '/sign-up', '/reset-password'] as const;

export const isOfApp = ({ path }: Pick<ConsolePage, 'path'>): boolean => path.startsWith('/apps/');

export const ORGANIZATION_PATH = '/o/';

export const inOrganization = (id: string, href: string): string =>
  `${ORGANIZATION_PATH}${id}${href}`;

export function atAddress(whole: string): { organization: string | null; path: string } {
  const [, organization, path = '/'] = /^\/o\/([^/]+)(\/.*)?$/.exec(whole) ?? [];
  return organization ? { organization, path } : { organization: null, path: whole };
}

const toParts = (path: string): string[] => path.split('/').filter(Boolean);

export function pageAt(path: string): ConsolePage | undefined {
  const parts = toParts(path);
  return CONSOLE_PAGES.find((page) => {
    const pattern = toParts(page.path);
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => part.startsWith(':') || part === parts[index])
    );
  });
}
