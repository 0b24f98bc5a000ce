import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { eventName, isByRule, namesFor } from '../../../src/modules/events/names/rule.ts';
import { EVENT_NAME_PATTERN } from '../../../src/modules/events/model.ts';

const NAME = new RegExp(EVENT_NAME_PATTERN);

describe('the name of an event of another product', () => {
  test.each([
    ['Item Viewed', 'item_viewed'],
    ['itemViewed', 'item_viewed'],
    ['$item_viewed', 'item_viewed'],
    ['[Amplitude] Application Opened', 'app_opened'],
    ['1 Onboarding', 'onboarding'],
    ['Größe', 'gr_e'],
  ])('%s is %s, as in earlier releases', (sent, name) => {
    expect(eventName(sent)).toBe(name);
    expect(isByRule(name, sent)).toBe(name !== 'app_opened');
  });

  test.each(['購入完了', 'Покупка', '🎉', '42'])(
    '%s, which has no Latin letter, has one',
    (sent) => {
      expect(eventName(sent)).toMatch(/^event_[0-9a-f]{8}$/);
    },
  );

  test('has candidates of its own that are valid and differ for every two names', () => {
    const texts = fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' });
    const valid = (name: string) => NAME.test(name) && name.length <= 64;
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        fc.pre(one !== other && eventName(one) !== '' && eventName(other) !== '');
        const [, ofOne, longer] = namesFor(one);
        return valid(ofOne) && valid(longer) && ofOne !== namesFor(other)[1];
      }),
    );
  });

  test('never takes that of an event which the service knows, unless it is meant', () => {
    expect(namesFor('1 App Opened')[0]).toMatch(/^app_opened_[0-9a-f]{8}$/);
    expect(isByRule('app_opened', 'App Opened')).toBe(false);
  });
});
