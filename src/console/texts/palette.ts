import { isolated } from '../format.ts';
import { counted } from './counted.ts';

export const palette = {
  label: 'Search or jump to',
  placeholder: { all: 'Search or jump to …', people: 'Find a person, an order or a transaction …' },
  escape: 'esc',
  groups: {
    recent: 'Recent',
    pages: 'Go to',
    questions: 'Saved questions',
    funnels: 'Funnels',
    views: 'Pinned views',
    experiments: 'Experiments',
    acts: 'Do',
    people: 'People',
    purchases: 'Orders and transactions',
  },
  organization: 'Organization',
  pinnedOn: (app: string) => `Pinned on Today of ${app}`,
  funnelOf: (app: string, steps: number) => `${isolated(app)} · ${counted(steps, 'step', 'steps')}`,
  acts: {
    addApp: 'Add an app',
    newFunnel: 'New funnel',
    newExperiment: 'New experiment',
    invite: 'Invite a member',
    createKey: 'Create a key',
    export: (title: string) => `Export “${title}”`,
    copyLink: 'Copy a link to this page',
    keyboard: 'Keyboard shortcuts',
    signOut: 'Sign out',
  },
  find: (text: string) => `Find “${text}” among people, orders and transactions`,
  findHint: 'The beginning of a user id or a device’s id, an order id, or a transaction id.',
  finding: 'Searching …',
  nobody: (text: string) => `Nobody and no purchase fits “${text}”.`,
  personOf: (app: string, events: number) =>
    `${isolated(app)} · ${counted(events, 'event', 'events')}`,
  purchaseOf: (app: string, transaction: string) => `${isolated(app)} · ${transaction}`,
  noKey: 'Order ids cannot be looked up: no purchase key is connected.',
  failed: (app: string) => `${app} could not be searched.`,
} as const;
