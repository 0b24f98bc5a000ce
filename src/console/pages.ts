import { type ComponentType, h } from 'preact';
import { lazy, useRoute } from 'preact-iso';
import type { PageName } from '../shared/console-pages.ts';

type Load = () => Promise<ComponentType>;

const RELOADED = 'reloaded for a chunk';

/** After an upgrade the chunks of the old console are gone. */
async function loadOrReload(load: Load): Promise<ComponentType> {
  try {
    const component = await load();
    sessionStorage.removeItem(RELOADED);
    return component;
  } catch (error) {
    if (sessionStorage.getItem(RELOADED)) throw error;
    sessionStorage.setItem(RELOADED, '1');
    location.reload();
    return new Promise(() => {});
  }
}

function page(load: Load) {
  const Content = lazy(() => loadOrReload(load));
  const Page = () => h(Content, { key: Object.values(useRoute().params).join('/') });
  return Object.assign(Page, { preload: () => void Content.preload() });
}

export const PAGES = {
  home: page(() => import('./pages/home/home.tsx').then(({ Home }) => Home)),
  sales: page(() => import('./pages/sales/sales.tsx').then(({ Sales }) => Sales)),
  sql: page(() => import('./pages/sql/sql.tsx').then(({ Sql }) => Sql)),
  today: page(() => import('./pages/today/today.tsx').then(({ Today }) => Today)),
  live: page(() => import('./pages/live/live.tsx').then(({ Live }) => Live)),
  trends: page(() => import('./pages/trends/trends.tsx').then(({ Trends }) => Trends)),
  funnels: page(() => import('./pages/funnels/funnels.tsx').then(({ Funnels }) => Funnels)),
  retention: page(() =>
    import('./pages/retention/retention.tsx').then(({ Retention }) => Retention),
  ),
  questions: page(() => import('./pages/questions/moved.tsx').then(({ Moved }) => Moved)),
  segments: page(() => import('./pages/segments/index.ts').then(({ Segments }) => Segments)),
  segment: page(() => import('./pages/segments/index.ts').then(({ SegmentPage }) => SegmentPage)),
  people: page(() => import('./pages/people/index.ts').then(({ People }) => People)),
  person: page(() => import('./pages/people/index.ts').then(({ PersonPage }) => PersonPage)),
  subscribers: page(() =>
    import('./pages/subscribers/subscribers.tsx').then(({ Subscribers }) => Subscribers),
  ),
  experiments: page(() =>
    import('./pages/experiments/index.ts').then(({ Experiments }) => Experiments),
  ),
  experiment: page(() =>
    import('./pages/experiments/index.ts').then(({ ExperimentPage }) => ExperimentPage),
  ),
  flags: page(() => import('./pages/flags/flags.tsx').then(({ Flags }) => Flags)),
  storefront: page(() =>
    import('./pages/storefront/storefront.tsx').then(({ Storefront }) => Storefront),
  ),
  marketing: page(() =>
    import('./pages/marketing/marketing.tsx').then(({ Marketing }) => Marketing),
  ),
  connect: page(() => import('./pages/connections.ts').then(({ Connect }) => Connect)),
  store: page(() => import('./pages/stores.ts').then(({ Store }) => Store)),
  purchases: page(() => import('./pages/stores.ts').then(({ Purchases }) => Purchases)),
  webhooks: page(() => import('./pages/connections.ts').then(({ Webhooks }) => Webhooks)),
  messages: page(() => import('./pages/connections.ts').then(({ Messages }) => Messages)),
  appSettings: page(() => import('./pages/settings.ts').then(({ AppSettings }) => AppSettings)),
  organization: page(() => import('./pages/settings.ts').then(({ Organization }) => Organization)),
  members: page(() => import('./pages/settings.ts').then(({ Members }) => Members)),
  keys: page(() => import('./pages/settings.ts').then(({ Keys }) => Keys)),
  audit: page(() => import('./pages/settings.ts').then(({ Audit }) => Audit)),
  logs: page(() => import('./pages/settings.ts').then(({ Logs }) => Logs)),
  account: page(() => import('./pages/account/account.tsx').then(({ Account }) => Account)),
  status: page(() => import('./pages/settings.ts').then(({ Status }) => Status)),
} satisfies Record<PageName, ReturnType<typeof page>>;
