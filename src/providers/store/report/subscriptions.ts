import { SUBSCRIPTION_PLANS, type SubscriptionFact, type SubscriptionPlan } from '../port.ts';
import { bounded, count, currency, decimal } from './cells.ts';
import { type PieceReader, type ReportRow, tableReader } from './table.ts';

const REQUIRED = [
  'App Apple ID',
  'Subscription Apple ID',
  'Standard Subscription Duration',
  'Customer Price',
  'Customer Currency',
  'Country',
  'Active Standard Price Subscriptions',
  'Active Free Trial Introductory Offer Subscriptions',
  'Billing Retry',
  'Grace Period',
] as const;

/** Column names by plan; older reports lack newer offers. */
const COLUMNS: Readonly<Record<Exclude<SubscriptionPlan, 'standard'>, (terms: string) => string>> =
  {
    introductory: (terms) => `Active ${terms} Introductory Offer Subscriptions`,
    promotional: (terms) => `${terms} Promotional Offer Subscriptions`,
    offer_code: (terms) => `${terms} Offer Code Subscriptions`,
    win_back: (terms) => `${terms} Win-back Offers`,
  };

type Counts = Pick<SubscriptionFact, 'paid' | 'trials' | 'optIns' | 'grace' | 'billingRetry'>;

/** The store omits irrelevant columns; empty counts as 0. */
const counted = (row: ReportRow, column: string) => (row.cell(column) ? count(row, column) : 0);

/** Grace and billing retry are not split by plan. */
function readCounts(row: ReportRow, plan: SubscriptionPlan): Counts {
  if (plan === 'standard') {
    return {
      paid: counted(row, 'Active Standard Price Subscriptions'),
      trials: 0,
      optIns: counted(row, 'Marketing Opt-Ins'),
      grace: counted(row, 'Grace Period'),
      billingRetry: counted(row, 'Billing Retry'),
    };
  }
  const column = COLUMNS[plan];
  return {
    paid: counted(row, column('Pay Up Front')) + counted(row, column('Pay As You Go')),
    trials: counted(row, column('Free Trial')),
    optIns: 0,
    grace: 0,
    billingRetry: 0,
  };
}

function subscriptionFacts(row: ReportRow): SubscriptionFact[] {
  const customerPrice = bounded(row, 'Customer Price', decimal(row, 'Customer Price') ?? '0');
  const proceeds = bounded(row, 'Developer Proceeds', decimal(row, 'Developer Proceeds') ?? '0');
  const terms = {
    line: row.line,
    storeAppId: row.cell('App Apple ID'),
    subscriptionId: row.cell('Subscription Apple ID'),
    name: row.cell('Subscription Name'),
    groupId: row.cell('Subscription Group ID'),
    duration: row.cell('Standard Subscription Duration'),
    offerName: row.cell('Subscription Offer Name'),
    offerId: row.cell('Promotional Offer ID'),
    customerPrice,
    customerCurrency: currency(row, 'Customer Currency', customerPrice),
    proceeds,
    proceedsCurrency: currency(row, 'Proceeds Currency', proceeds),
    preservedPrice: row.cell('Preserved Pricing').toLowerCase() === 'yes',
    country: row.cell('Country').toUpperCase(),
    device: row.cell('Device'),
  };
  return SUBSCRIPTION_PLANS.map((plan) => ({ ...terms, plan, ...readCounts(row, plan) })).filter(
    ({ paid, trials, optIns, grace, billingRetry }) =>
      paid + trials + optIns + grace + billingRetry > 0,
  );
}

/** Skips `Subscribers`, hidden up to three. */
export function subscriptionReader(): PieceReader<SubscriptionFact> {
  const rows = tableReader(REQUIRED, subscriptionFacts);
  return { push: (piece) => rows.push(piece).flat(), end: () => rows.end().flat() };
}
