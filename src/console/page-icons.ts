import type { PageName } from '../shared/console-pages.ts';
import type { Icon } from './parts/icons.ts';
import * as icons from './parts/icons.ts';

export const PAGE_ICONS: Record<PageName, Icon> = {
  home: icons.home,
  sales: icons.sales,
  today: icons.today,
  live: icons.live,
  trends: icons.trends,
  funnels: icons.funnels,
  retention: icons.retention,
  questions: icons.questions,
  people: icons.people,
  person: icons.person,
  subscribers: icons.subscribers,
  experiments: icons.experiments,
  experiment: icons.experiments,
  flags: icons.flags,
  marketing: icons.marketing,
  connect: icons.connections,
  store: icons.store,
  purchases: icons.purchases,
  webhooks: icons.webhooks,
  messages: icons.messages,
  appSettings: icons.settings,
  organization: icons.organization,
  members: icons.people,
  keys: icons.keys,
  logs: icons.logs,
  account: icons.person,
  status: icons.activity,
};
