import { exactNumber } from '../format.ts';
import { counted } from './counted.ts';

const peopleOf = (people: number) => counted(people, 'person', 'people');

export const today = {
  title: 'Today',
  question: 'Is everything all right, and what changed?',
  figures: 'Figures of this app',
  setUp: 'The app is being set up. It can take events in a moment.',
  sentence: {
    nothing: 'Nothing stands out.',
    one: 'One thing to look at.',
    several: (count: string) => `${count} things to look at.`,
    yesterday: 'yesterday',
    onDay: (day: string) => `on ${day}`,
    people: (people: number, when: string) => `${peopleOf(people)} ${when}.`,
    soFar: (people: number) => `${peopleOf(people)} today so far.`,
    asMany: (people: number, when: string, against: string) =>
      `${peopleOf(people)} ${when}, about as many as on ${against}.`,
    moreOrFewer: (people: number, when: string, share: string, isMore: boolean, against: string) =>
      `${peopleOf(people)} ${when}, ${share} ${isMore ? 'more' : 'fewer'} than on ${against}.`,
    rules: (rules: number, days: string) =>
      `${counted(rules, 'rule', 'rules')} looked at ${days}; one speaks only where chance is ruled out (95 %)`,
    how: 'How this is decided',
    failed: 'The rules could not be asked.',
    waiting: 'The rules are looking',
  },
  charts: {
    people: 'People a day',
    new: 'New people a day',
    conversion: 'Conversion by week of entry',
    conversionByDay: 'Conversion by day of entry',
    proceeds: 'Proceeds a day',
    mrr: 'MRR by day',
    hollow: (zone: string) => `${zone}, today so far is hollow`,
    pacific: 'Pacific days; hatched ones are late',
    utc: 'at the end of each day, UTC',
    line: {
      people: 'People',
      new: 'New people',
      conversion: 'Came all the way',
      proceeds: 'Proceeds',
      mrr: 'MRR',
    },
    weekEarlier: 'A week earlier',
    click: (people: number) => `Click: the ${counted(people, 'person', 'people')}`,
    none: 'Nothing to draw yet',
    noPeople: 'The line begins with the first event.',
    noMoney: 'The line begins with the first purchase.',
    noSales: 'The bars begin with the first report of the store.',
    tooFew: (people: number, minimum: number) =>
      `${exactNumber(people)} of ${counted(minimum, 'person', 'people')}: no rate is drawn from so few.`,
  },
  note: {
    add: 'Add a note',
    day: 'Day',
    text: 'What happened',
    save: 'Save the note',
    why: 'It stands as a mark above every chart of this app.',
  },
  since: {
    title: 'Since yesterday',
    started: (subscribers: number, trials: number) =>
      [
        ...(subscribers > 0 ? [counted(subscribers, 'new subscriber', 'new subscribers')] : []),
        ...(trials > 0 ? [counted(trials, 'trial', 'trials')] : []),
      ].join(', '),
    returned: (count: number) => counted(count, 'subscriber came back', 'subscribers came back'),
    ended: (count: number) => counted(count, 'subscription ended', 'subscriptions ended'),
    refunds: (count: number) => counted(count, 'refund', 'refunds'),
    recovered: (count: number) => counted(count, 'failed payment came', 'failed payments came'),
    billing: (count: number) => counted(count, 'billing problem', 'billing problems'),
    inGrace: (count: number) => `${exactNumber(count)} in grace`,
    inRetry: (count: number) => `${exactNumber(count)} in retry`,
    nothing: 'No subscriber came or left, nothing was refunded.',
  },
  change: (amount: string, days: number) => ({
    amount,
    words: `in ${counted(days, 'day', 'days')}`,
  }),
  active: (count: number) => `${exactNumber(count)} active`,
  funnel: {
    newOnly: 'new people',
    none: 'No funnel yet',
    noneWhy: 'A funnel says where people stop on the way to what you want them to do.',
    make: 'Make a funnel',
    noData: 'Nobody has entered it in these days.',
  },
  versions: {
    title: 'Versions in use',
    sub: 'share of people a day',
    other: 'Older',
    unknown: 'Unknown',
    none: 'No version yet',
    noneWhy: 'Each event says which version of the app sent it.',
  },
  experiment: {
    running: (days: number) => `running ${counted(days, 'day', 'days')}`,
    people: (people: number) => counted(people, 'person', 'people'),
    difference: 'Difference',
    differenceOf: (arm: string) => `Difference, ${arm}`,
    points: 'points',
    none: 'No experiment runs',
    noneWhy: 'Two ways of doing it side by side say which one sells more.',
    all: 'Experiments',
    open: 'Open experiments',
  },
  pins: {
    add: 'Pin a view',
    peopleByVersion: 'People by version',
    peopleByCountry: 'People by country',
    byVersion: (funnel: string) => `${funnel} by version`,
    retention: 'Who comes back, by week',
    another: 'Save any other view in Trends',
    pinned: 'Pinned already',
    acts: (title: string) => `More about “${title}”`,
    unpin: 'Remove from Today',
    cameBack: (rate: string, interval: string) => `${rate} came back after one ${interval}`,
    line: 'Came back',
    noFunnel: 'This funnel is gone.',
    few: (people: number, minimum: number) =>
      `${exactNumber(people)} of ${counted(minimum, 'person', 'people')}: no rate is drawn from so few.`,
  },
  empty: {
    title: 'No event has come yet.',
    why: 'People, funnels and versions begin with the first one: Connect has a key and a snippet.',
    connect: 'Connect the app',
  },
  foot: {
    arrives: (last: string) => `Events arrive, last ${last}`,
    silent: (last: string) => `The last event came ${last}`,
    none: 'No event yet',
    zone: (zone: string) => `People by ${zone} days`,
    store: (day: string, known: number, of: number) =>
      `Store through ${day} (Pacific), ${known} of ${counted(of, 'day', 'days')} known`,
    subscribers: 'Subscribers by UTC days',
  },
} as const;
