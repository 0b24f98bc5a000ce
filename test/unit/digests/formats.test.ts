import { describe, expect, test } from 'bun:test';
import { digestText, newsLines } from '../../../src/modules/digests/digest-text.ts';
import type { Digest } from '../../../src/modules/digests/model.ts';
import { postBody } from '../../../src/modules/messages/formats.ts';

const LINK = 'https://example.com/v1/digests/off?org=o&token=t';
const DIGEST: Digest = {
  day: '2026-11-22',
  sales: { day: '2026-11-20', downloads: 12, proceedsMinor: 12_345, currency: 'USD' },
  apps: [
    {
      appId: 'app_1',
      name: 'Focus <!channel> & co',
      people: 8,
      events: 90,
      alerts: ['Refunds are rising'],
      marks: [
        {
          ...{ kind: 'version', day: '2026-11-19', at: null, id: null, appVersion: '2.0\n\nrc' },
          text: 'Version 2.0\n\nrc first seen',
        },
      ],
    },
  ],
};
const text = digestText(DIGEST, LINK);
const message = {
  id: 'x',
  type: 'digest' as const,
  text,
  at: '2026-11-22T07:00:00.000Z',
  data: DIGEST,
  offLink: LINK,
};

describe('a digest', () => {
  test('says sales, people, what is wrong, and how to end it', () => {
    expect(text.split('\n')).toEqual([
      'Morning digest of 2026-11-22',
      '',
      'Sales of 2026-11-20: 12 downloads, 123.45 USD proceeds',
      'Focus <!channel> & co: 8 people and 90 events in the last 24 hours',
      '  ! Refunds are rising',
      '  2026-11-19: Version 2.0 rc first seen',
      '',
      `No more of these: ${LINK}`,
    ]);
  });

  test('has one line for each new subscriber, refund and billing problem', () => {
    const news = newsLines({
      news: [
        {
          kind: 'subscriber',
          productId: 'pro',
          priceMilliunits: 9_990,
          currency: 'USD',
          isTrial: false,
        },
        {
          kind: 'subscriber',
          productId: 'pro',
          priceMilliunits: 0,
          currency: 'USD',
          isTrial: true,
        },
        {
          kind: 'refund',
          productId: 'year',
          priceMilliunits: 59_990,
          currency: 'EUR',
          isTrial: false,
        },
        {
          kind: 'billing_problem',
          productId: 'pro',
          priceMilliunits: null,
          currency: null,
          isTrial: false,
        },
      ],
      more: 3,
    });
    expect(news).toEqual([
      'New subscriber: pro, 9.99 USD',
      'New subscriber: pro, free trial',
      'Refund: year, 59.99 EUR',
      'Billing problem: pro',
      'and 3 more',
    ]);
    const [app] = DIGEST.apps;
    expect(digestText({ ...DIGEST, apps: [{ ...app!, news }] }, LINK)).toContain('  and 3 more');
  });

  test('of an organization without apps and sales says that', () => {
    expect(digestText({ day: '2026-11-22', sales: null, apps: [] }, LINK)).toContain('no app yet');
    const googlePlaySales = { ...DIGEST.sales!, day: '2026-11-15' };
    expect(digestText({ ...DIGEST, googlePlaySales }, LINK)).toContain(
      'Sales in Google Play of 2026-11-15: 12 downloads, 123.45 USD proceeds',
    );
  });

  test('money has the decimals of its currency', () => {
    const of = (currency: string) =>
      digestText({ ...DIGEST, sales: { ...DIGEST.sales!, currency } }, LINK);
    expect(of('JPY')).toContain('12345 JPY');
    expect(of('KWD')).toContain('12.345 KWD');
  });

  test('mentions nobody in Slack, whatever an app is called', () => {
    const { text: sent } = JSON.parse(postBody('slack', message));
    expect(sent).toContain('Focus &lt;!channel&gt; &amp; co');
    expect(sent).not.toContain('<');
  });

  test('has at most 2,000 characters in Discord, mentions nobody, and cuts no character in half', () => {
    const long = { ...message, text: `a${'🎉'.repeat(2_000)}` };
    const { content, allowed_mentions } = JSON.parse(postBody('discord', long));
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content.isWellFormed()).toBe(true);
    expect(allowed_mentions).toEqual({ parse: [] });
    expect(JSON.parse(postBody('discord', message)).content).toBe(text);
  });

  test('is data for a server of one’s own', () => {
    expect(JSON.parse(postBody('json', message))).toEqual({
      type: 'digest',
      timestamp: message.at,
      text,
      data: DIGEST,
    });
  });
});

test('money without a rate is named, and what concerns all apps is said once, before them', () => {
  const sales = { ...DIGEST.sales!, unconverted: [{ currency: 'AED', proceedsMinor: 3_072 }] };
  const lines = digestText({ ...DIGEST, sales, alerts: ['Days are missing'] }, LINK).split('\n');
  expect(lines[2]).toEndWith(', and without an exchange rate 30.72 AED');
  expect(lines[3]).toBe('! Days are missing');
});
