import { describe, expect, test } from 'bun:test';
import {
  describeNeverSent,
  type Known,
  type Named,
} from '../../../src/modules/events/never-sent.ts';

const PLANS = [
  { value: 'monthly', events: 6 },
  { value: 'yearly', events: 2 },
];
const known: Known = {
  environment: 'all',
  names: ['app_opened', 'paywall_viewed', 'purchase_completed', 'purchase_started'],
  propertiesOf: async (event) => ({
    properties:
      event === 'app_opened'
        ? []
        : [
            { name: 'plan', events: 8, values: PLANS },
            { name: 'offer', events: 90, values: PLANS },
          ],
  }),
};
const say = (asked: Named[], more: Partial<Known> = {}) =>
  describeNeverSent(asked, { ...known, ...more });

describe('a hint on what was never sent', () => {
  test('names the step and the nearest names', async () => {
    const asked = [
      { step: 1, event: 'app_opened' },
      { step: 2, event: 'purchase_complted' },
    ];
    expect(await say(asked)).toBe(
      'Step 2: the app never sent an event "purchase_complted". The nearest names that it sent: "purchase_completed", "purchase_started", "app_opened".',
    );
    expect(await say([{ event: 'app_open' }], { environment: 'production' })).toStartWith(
      'The app never sent an event "app_open" in production. The nearest',
    );
  });

  test('names a property that never came with the event, or with any', async () => {
    expect(await say([{ step: 3, event: 'paywall_viewed', prop: 'pln', equals: 'x' }])).toBe(
      'Step 3: no event "paywall_viewed" came with the property "pln". The nearest properties that came: "plan", "offer".',
    );
    expect(await say([{ event: null, prop: 'pln' }])).toStartWith(
      'No event came with the property "pln".',
    );
    expect(await say([{ event: 'app_opened', prop: 'pln' }])).toBe(
      'No event "app_opened" came with the property "pln".',
    );
  });

  test('names a value only where every value of the property is known', async () => {
    const asked = (prop: string) => [{ event: 'paywall_viewed', prop, equals: 'montly' }];
    expect(await say(asked('plan'))).toBe(
      'No event "paywall_viewed" came with "plan" equal to "montly". The nearest values that came: "monthly", "yearly".',
    );
    expect(await say(asked('offer'))).toBeNull();
  });

  test('says nothing of what was sent, of events of the service, and of no question', async () => {
    expect(await say([{ event: 'paywall_viewed', prop: 'plan', equals: 'monthly' }])).toBeNull();
    expect(await say([{ event: '$exposure' }])).toBeNull();
    expect(await say([])).toBeNull();
    expect(await say([], { names: [] })).toBeNull();
  });

  test('is one sentence for an app that sent nothing, and one for each thing', async () => {
    expect(await say([{ event: 'a' }, { event: 'b' }], { names: [] })).toBe(
      'The app has not sent any event yet.',
    );
    expect(await say([{ event: 'a' }], { names: [], environment: 'development' })).toBe(
      'The app has not sent any event in development yet.',
    );
    const twice = await say([{ event: 'app_open' }, { event: 'app_open' }]);
    expect(twice).toBe((await say([{ event: 'app_open' }])) ?? '');
    const two = await say([{ event: 'app_open' }, { event: 'paywall' }]);
    expect(two).toContain('. The app never sent an event "paywall".');
  });
});
