import { describe, expect, test } from 'bun:test';
import { subscriptionEventReader } from '../../../src/providers/store/report/subscription-events.ts';
import { subscriptionEventText } from '../../simulators/store/report.ts';
import { readWhole } from '../../support/reports.ts';

const DAY = '2026-03-08';
const parseSubscriptionEvents = (text: string, day: string) =>
  readWhole(subscriptionEventReader(day), text);
const event = (values: Record<string, string> = {}) => ({
  'Event Date': '2026-03-08',
  Event: 'Start Introductory Offer',
  'App Name': 'Acme',
  'App Apple ID': '6754688919',
  'Subscription Name': 'Pro monthly',
  'Subscription Apple ID': '6754688920',
  'Subscription Offer Type': 'Free Trial',
  Device: 'iPhone',
  Country: 'US',
  Quantity: '3',
  ...values,
});
const trials = (...rows: Record<string, string>[]) =>
  parseSubscriptionEvents(subscriptionEventText(rows), DAY).reduce((sum, f) => sum + f.trials, 0);

describe('trials', () => {
  test.each([
    ['Start Introductory Offer', 'Free Trial', 3],
    ['Start Introductory Price', 'Free Trial', 3],
    ['Reactivate with Introductory Offer', 'Free Trial', 3],
    ['Reactivate', 'Pay Up Front', 0],
    ['Start Offer Code', 'free trial', 3],
    ['Start Introductory Offer', 'Pay Up Front', 0],
    ['Subscribe', '', 0],
    ['Renew', 'Free Trial', 0],
    ['Cancel', 'Free Trial', 0],
    ['Something New', 'Free Trial', 0],
  ])('%s with %p starts %d', (name, offer, count) => {
    expect(trials(event({ Event: name, 'Subscription Offer Type': offer }))).toBe(count);
  });

  test('a trial has neither units nor money', () => {
    const [fact] = parseSubscriptionEvents(subscriptionEventText([event()]), DAY);
    expect(fact).toMatchObject({
      storeId: '6754688920',
      parentStoreId: '6754688919',
      sku: '',
      units: '0',
      proceeds: '0',
      country: 'US',
      trials: 3,
    });
  });

  test('capitals and hyphens of the header do not matter', () => {
    const text = subscriptionEventText([event()]).replace('Event Date', 'EVENT-DATE');
    expect(parseSubscriptionEvents(text, DAY)).toHaveLength(1);
  });

  test.each([
    [{ Quantity: '' }, 'Quantity'],
    [{ Quantity: '1.5' }, 'Quantity'],
    [{ Quantity: 'many' }, 'Quantity'],
    [{ Quantity: '9999999999' }, 'Quantity'],
    [{ 'Event Date': '2026-03-07' }, 'is not for'],
  ])('%p is refused', (values, message) => {
    expect(() => trials(event(values))).toThrow(message);
  });
});
