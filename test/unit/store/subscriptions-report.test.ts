import { describe, expect, test } from 'bun:test';
import { ReportFormatError } from '../../../src/providers/store/port.ts';
import { subscriptionReader } from '../../../src/providers/store/report/subscriptions.ts';
import { subscriptionText } from '../../simulators/store/report.ts';
import { readWhole } from '../../support/reports.ts';

const row = (values: Record<string, string> = {}) => ({
  'App Name': 'Acme',
  'App Apple ID': '6754688919',
  'Subscription Name': 'Pro monthly',
  'Subscription Apple ID': '6754700000',
  'Subscription Group ID': '21',
  'Standard Subscription Duration': '1 Month',
  'Customer Price': '4.99',
  'Customer Currency': 'USD',
  'Developer Proceeds': '3.49',
  'Proceeds Currency': 'USD',
  Country: 'us',
  Device: 'iPhone',
  'Active Standard Price Subscriptions': '1,012',
  'Billing Retry': '3',
  'Grace Period': '2',
  ...values,
});
const read = (values: Record<string, string> = {}, version = '1_4') =>
  readWhole(subscriptionReader(), subscriptionText([row(values)], version));
const failure = (values: Record<string, string>) => {
  try {
    read(values);
  } catch (thrown) {
    return thrown;
  }
  return null;
};

describe('a row of the snapshot', () => {
  test('counts the standard plan with what is not told by plan', () => {
    expect(read()).toEqual([
      {
        line: 1,
        storeAppId: '6754688919',
        subscriptionId: '6754700000',
        name: 'Pro monthly',
        groupId: '21',
        duration: '1 Month',
        offerName: '',
        offerId: '',
        customerPrice: '4.99',
        customerCurrency: 'USD',
        proceeds: '3.49',
        proceedsCurrency: 'USD',
        preservedPrice: false,
        country: 'US',
        device: 'iPhone',
        plan: 'standard',
        paid: 1012,
        trials: 0,
        optIns: 0,
        grace: 2,
        billingRetry: 3,
      },
    ]);
  });

  test.each([
    ['Active Free Trial Introductory Offer Subscriptions', 'introductory', 0, 7],
    ['Active Pay Up Front Introductory Offer Subscriptions', 'introductory', 7, 0],
    ['Active Pay as You Go Introductory Offer Subscriptions', 'introductory', 7, 0],
    ['Free Trial Promotional Offer Subscriptions', 'promotional', 0, 7],
    ['Pay Up Front Promotional Offer Subscriptions', 'promotional', 7, 0],
    ['Pay As You Go Promotional Offer Subscriptions', 'promotional', 7, 0],
    ['Free Trial Offer Code Subscriptions', 'offer_code', 0, 7],
    ['Pay Up Front Offer Code Subscriptions', 'offer_code', 7, 0],
    ['Pay As You Go Offer Code Subscriptions', 'offer_code', 7, 0],
    ['Free Trial Win-back Offers', 'win_back', 0, 7],
    ['Pay Up Front Win-Back Offers', 'win_back', 7, 0],
    ['Pay As You Go Win-back Offers', 'win_back', 7, 0],
  ])('%s counts towards %s', (column, plan, paid, trials) => {
    const facts = read({ [column]: '7' });
    expect(facts).toHaveLength(2);
    expect(facts[1]).toMatchObject({ plan, paid, trials, grace: 0, billingRetry: 0 });
  });

  test('without anybody says nothing', () => {
    const nobody = { 'Active Standard Price Subscriptions': '0', 'Billing Retry': '' };
    expect(read({ ...nobody, 'Grace Period': '' })).toEqual([]);
  });

  test.each(['Marketing Opt-Ins', 'Billing Retry', 'Grace Period'])(
    'with one in %s alone says so',
    (column) => {
      const nobody = { 'Active Standard Price Subscriptions': '0' };
      const others = { 'Marketing Opt-Ins': '', 'Billing Retry': '0', 'Grace Period': '0' };
      const [fact, ...more] = read({ ...nobody, ...others, [column]: '1' });
      expect(more).toEqual([]);
      const { paid, trials, optIns, grace, billingRetry } = fact!;
      expect([paid, trials, optIns + grace + billingRetry]).toEqual([0, 0, 1]);
    },
  );

  test('counts without a line feed at its end', () => {
    const text = subscriptionText([row(), row({ Country: 'DE' })]);
    const whole = readWhole(subscriptionReader(), text);
    expect(whole).toHaveLength(2);
    expect(readWhole(subscriptionReader(), text.trimEnd())).toEqual(whole);
  });

  test('of an earlier version has no win-back offers', () => {
    expect(read({ 'Free Trial Win-back Offers': '7' }, '1_3')).toHaveLength(1);
  });

  test.each([
    ['Active Standard Price Subscriptions', 'x'],
    ['Grace Period', '1.5'],
    ['Billing Retry', '-1'],
    ['Billing Retry', ','],
    ['Customer Price', 'free'],
    ['Customer Price', '9999999999999'],
    ['Customer Currency', 'Dollar'],
  ])('%s of %s cannot be read', (column, cell) => {
    expect(failure({ [column]: cell })).toBeInstanceOf(ReportFormatError);
  });
});
