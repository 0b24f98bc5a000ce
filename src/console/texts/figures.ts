import { counted } from './counted.ts';

const inDays = (name: string) => (days: number) => `${name}, ${counted(days, 'day', 'days')}`;

/** Sentences as in docs. */
export const figures = {
  mrr: 'MRR',
  active: 'Active subscribers',
  proceeds: inDays('Proceeds'),
  downloads: inDays('Downloads'),
  conversion: inDays('Conversion'),
  people: 'People',
  soFar: 'today so far',
  peopleOn: (day: string) => `People, ${day}`,
  peopleYesterday: 'People yesterday',
  peopleToday: 'People today so far',
  newOn: (day: string) => `New people, ${day}`,
  newYesterday: 'New yesterday',
  newToday: 'New today so far',
  meanings: {
    mrr: 'Each active subscription’s customer price for a month, before commission and tax, at the exchange rate of its purchase day: it does not move with exchange rates.',
    active:
      'Subscriptions in a paid period or in the grace period of one. Neither trials nor free offers, nor what the store still tries to charge; auto-renew switched off counts until the end.',
    proceeds:
      'What the store pays after its commission and tax, by the Pacific day of the sale, from its daily reports.',
    downloads: 'First downloads by the store’s daily reports, by Pacific day. No updates.',
    people:
      'Distinct people with at least one event on that day whose name does not begin with $. Development keys are left out.',
    peopleOfApps:
      'Distinct people with an event on that day, added up over the apps: who uses two of them counts in both.',
    newPeople: 'People whose first event ever was on that day.',
    conversion:
      'Of the people who began the default funnel in these days, the share that came all the way; the range beside it is Wilson’s 95% interval.',
    conversionOfNew:
      'Of the new people who began the default funnel in these days, the share that came all the way; the range beside it is Wilson’s 95% interval.',
  },
  noChange: '± 0',
  against: (day: string) => `vs ${day}`,
  since: (day: string) => `since ${day}`,
  daysBefore: (days: number) => counted(days, 'day before', 'days before'),
  asManyBefore: 'the days before',
  knownDays: (known: number, of: number) => `${known} of ${counted(of, 'day', 'days')}`,
  unconverted: (amounts: string) => `+ ${amounts}`,
  unconvertedWhy: 'Without an exchange rate, so it is in no total',
  withoutAmount: (count: number) => `without ${count}`,
  withoutAmountWhy:
    'Subscriptions without a signed price or an exchange rate, which no amount holds',
  noPurchase: 'No purchase is known yet',
  noStore: 'The store has reported nothing',
  funnel: 'Funnel',
  noFunnel: 'There is no funnel yet',
  noEvents: 'No event yet',
  fewPeople: (people: number, minimum: number) =>
    `${people} of ${counted(minimum, 'person', 'people')}`,
  firstEvent: (day: string) => `First event ${day}`,
  byWeek: 'by week',
  failed: 'Couldn’t load',
} as const;
