import { expect } from 'bun:test';
import { until } from '../until.ts';
import type { Owner } from './owner.ts';

const PEOPLE = 240;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TERMS = ['chairs', 'lamps', 'tables'];
const BATCH = 100;

type Event = { name: string; ts: string; anonymousId: string; props?: Record<string, unknown> };

/** What a person does from a first day on: search, look, buy or not, come back or not, leave. */
function eventsOf(person: number): Event[] {
  const anonymousId = `person-${person}`;
  const began = Date.now() - (25 - (person % 20)) * DAY_MS;
  const at = (minutes: number, name: string, props?: Record<string, unknown>): Event => ({
    ...{ name, anonymousId, ts: new Date(began + minutes * MINUTE_MS).toISOString() },
    ...(props && { props }),
  });
  const plan = person % 2 === 0 ? 'yearly' : 'monthly';
  const hasBought = person % 4 === 1;
  const results = person % 3 === 0 ? 0 : 5;
  return [
    at(0, 'app_opened'),
    at(1, 'onboarding_started'),
    at(2, 'searched', { term: TERMS[person % TERMS.length], results }),
    at(3 + (person % 40), 'item_saved'),
    at(50, 'paywall_viewed'),
    at(52, 'paywall_viewed'),
    ...(person % 10 === 1 ? [at(53, 'purchase_restored')] : []),
    ...(hasBought ? [at(54, 'purchase_completed', { plan, price: 999 + person })] : []),
    at(55, person % 3 === 0 ? 'feature_notes' : 'feature_timer'),
    ...(person % 3 === 0 ? [] : [at(7 * 24 * 60, 'app_opened')]),
    ...(person % 3 === 0 ? [at(58, 'settings_opened'), at(59, 'account_deleted')] : []),
  ];
}

/** The addresses of an app that has all that the ten questions ask about. */
export async function makeAskedApp({ call, instance, page }: Owner): Promise<string> {
  const body = { slug: 'asked', displayName: 'Asked' };
  const app = (await call('POST', '/v1/apps', body)) as { id: string };
  const made = { name: 'app', environment: 'production' };
  const { secret } = (await call('POST', `/v1/apps/${app.id}/keys`, made)) as { secret: string };
  for (const platform of ['ios', 'android']) {
    for (const [country, appVersion] of [
      ['DE', '2.9.0'],
      ['DE', '2.10.0'],
      ['US', '2.10.0'],
    ]) {
      const group =
        ['ios', 'android'].indexOf(platform) * 3 +
        (country === 'US' ? 2 : appVersion === '2.9.0' ? 0 : 1);
      const events = Array.from({ length: PEOPLE }, (_, person) => person)
        .filter((person) => Math.floor(person / 4) % 6 === group)
        .flatMap(eventsOf)
        .map((event, index) => ({ ...event, id: `event-${group}-${index}` }));
      for (let from = 0; from < events.length; from += BATCH) {
        const answer = await page.request.post(new URL('/v1/events', instance.url).href, {
          headers: { 'x-service-key': secret },
          data: {
            events: events.slice(from, from + BATCH),
            context: { platform, appVersion, country },
          },
        });
        expect([answer.status(), await answer.text()]).toEqual([202, expect.any(String)]);
      }
    }
  }
  await until('the people of the app', async () => {
    const path = `/v1/apps/${app.id}/events/summary?days=60`;
    const { people } = (await call('GET', path)) as { people: number };
    return people === PEOPLE || undefined;
  });
  return `/apps/${app.id}`;
}
