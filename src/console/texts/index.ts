import { account } from './account.ts';
import { appSettings } from './app-settings.ts';
import { connect } from './connect.ts';
import { controls } from './controls.ts';
import { counted } from './counted.ts';
import { currency } from './currency.ts';
import { signIn } from './sign-in.ts';
import { experiments } from './experiments.ts';
import { funnels } from './funnels.ts';
import { home } from './home.ts';
import { keys } from './keys.ts';
import { live } from './live.ts';
import { logs } from './logs.ts';
import { marketing } from './marketing.ts';
import { members } from './members.ts';
import { messages } from './messages.ts';
import { organization } from './organization.ts';
import { people } from './people.ts';
import { pins } from './pins.ts';
import { purchases } from './purchases.ts';
import { range } from './range.ts';
import { retention } from './retention.ts';
import { sales } from './sales.ts';
import { status } from './status.ts';
import { store } from './store.ts';
import { subscribers } from './subscribers.ts';
import { today } from './today.ts';
import { trends } from './trends.ts';
import { webhooks } from './webhooks.ts';

/** Every English text of the console; those of a page in a file of its own. */
export const texts = {
  product: 'Control plane',
  skip: 'Skip to the content',
  help: 'Documentation',
  meaning: 'What it means',
  open: 'Open',
  loading: 'New figures are on their way',
  change: {
    up: 'up',
    down: 'down',
    against: (what: string) => `vs ${what}`,
  },
  csv: 'CSV',
  csvOf: (table: string) => `CSV: ${table}`,
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Copy with your keyboard:',
  window: { label: 'Window', days: (days: number) => counted(days, 'day', 'days') },
  confirm: {
    cancel: 'Cancel',
    word: 'yes',
    type: (name: string) => `Type "${name}" to confirm`,
    wrong: (name: string) => `Type "${name}" to confirm.`,
  },
  environments: {
    label: 'Events of',
    production: 'Production',
    development: 'Development',
    all: 'Both',
  },
  shortcuts: {
    title: 'Keyboard',
    search: 'Find a person of this app',
    close: 'Close',
  },
  pagination: { first: 'First page', next: 'Next page' },
  chart: {
    asTable: (title: string) => `${title} as a table`,
    day: 'Day',
    marks: 'Marks',
    png: 'PNG',
    pngOf: (title: string) => `PNG: ${title}`,
  },
  errors: {
    noAnswer: 'The service cannot be reached. Check your connection and try again.',
    again: 'Try again',
    stale: (at: string) => `What is shown is of ${at}.`,
    requestId: 'Request',
    forbidden: 'Your role does not allow this. Ask an owner or admin of the organization.',
    notFound: 'There is no such page.',
    managersOnly: 'Owners and admins can do this.',
    editorsOnly: 'Members, admins and owners can do this.',
  },
  nav: {
    app: 'App',
    home: 'Home',
    sales: 'Sales',
    store: 'Store',
    webhooks: 'Webhooks',
    logs: 'Logs',
    messages: 'Messages',
    settings: 'Settings',
    connections: 'Connections',
    organization: 'Organization',
    appSettings: 'App',
    product: 'Product',
    money: 'Money',
    apps: 'Apps',
    person: 'Person',
    experiment: 'Experiment',
    members: 'Members',
    keys: 'Keys',
    status: 'Status',
    account: 'Account',
    today: 'Today',
    live: 'Live events',
    trends: 'Trends',
    retention: 'Retention',
    funnels: 'Funnels',
    experiments: 'Experiments',
    people: 'People',
    subscribers: 'Subscribers',
    purchases: 'Purchases',
    marketing: 'Marketing',
    connect: 'Connect',
    api: 'API documentation',
    signOut: 'Sign out',
    menu: 'Menu',
    pages: 'Pages',
  },
  controls,
  range,
  signIn,
  home,
  connect,
  currency,
  live,
  members,
  keys,
  account,
  status,
  funnels,
  experiments,
  people,
  subscribers,
  sales,
  store,
  purchases,
  webhooks,
  logs,
  marketing,
  messages,
  organization,
  appSettings,
  today,
  trends,
  retention,
  pins,
} as const;
