import { exactNumber } from '../format.ts';
import { counted } from './counted.ts';
import { figures } from './figures.ts';

export const home = {
  question: 'How are all my apps?',
  totals: 'All apps',
  apps: 'Apps',
  app: 'App',
  people: figures.peopleYesterday,
  conversion: 'Conversion',
  downloads: 'Downloads',
  proceeds: 'Proceeds',
  mrr: figures.mrr,
  state: 'State',
  never: 'no event yet',
  inStore: (version: string, last: string) => `${version} · ${last}`,
  states: {
    provisioning: 'Being set up',
    paused: 'Paused',
    error: 'Needs help',
    quiet: 'No events yet',
  },
  charts: {
    label: 'Chart',
    people: 'People',
    mrr: 'MRR',
    downloads: 'Downloads',
    titles: {
      people: 'People a day',
      mrr: 'MRR by day',
      downloads: 'Downloads a day',
    },
    subs: {
      people: 'today so far is hollow',
      mrr: 'at the end of each day, UTC',
      downloads: 'Pacific days; hatched ones are late',
    },
    other: 'Other apps',
    none: 'Nothing to draw yet',
    noneWhy: {
      people: 'The line begins with the first event of an app.',
      mrr: 'The line begins with the first subscription.',
      downloads: 'The bars begin with the first report of the store.',
    },
    openApp: 'Click: this day of the app',
    openSales: 'Click: Sales',
  },
  looks: {
    of: (app: string, text: string) => `${app}: ${text}`,
    all: (count: number) => `Show all ${exactNumber(count)}`,
  },
  messages: {
    to: (places: string) => `Messages: ${places}`,
    quiet: (from: number, to: number) => `${from}–${to} quiet`,
    off: 'Messages are off',
    kinds: { mail: 'Mail', slack: 'Slack', discord: 'Discord', json: 'Server' },
  },
  foot: {
    events: (at: string) => `Events through ${at}`,
    store: (day: string, known: number, of: number) =>
      `Store through ${day} (Pacific), ${known} of ${counted(of, 'day', 'days')} known`,
    money: (currency: string) => `Money in ${currency}, each amount at the rate of its day`,
  },
  doors: {
    title: 'Three ways to begin',
    why: 'Each is useful alone, and they go together later.',
    store: 'My app is in the store',
    storeWhy:
      'A reporting key brings a year of sales, downloads and subscribers, without a line of code.',
    storeAct: 'Connect the store',
    connect: 'Connect my app',
    connectWhy: 'A key, a snippet and a light for the first event: people, funnels and retention.',
    look: 'Look around',
    lookWhy:
      'A month of two made-up apps in an organization of their own. This command fills it beside the service; the same with --remove takes all of it away.',
    lookCommand: 'bun run demo',
    lookAct: 'Copy the command',
    lookDone: 'Copied',
  },
  add: {
    act: 'Add an app',
    title: 'Add an app',
    name: 'Name',
    slug: 'Short name in addresses',
    slugRule: 'Lower-case letters, digits and hyphens.',
    create: 'Add the app',
    next: 'Then comes its key, and a snippet to paste.',
    fromStore: 'Or take one that is already in the store',
  },
} as const;
