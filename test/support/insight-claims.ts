import type { Insights, Recommendation } from '../../src/modules/insights/model.ts';
import { wilson } from '../../src/shared/statistics/rates.ts';
import { compareVersions } from '../../src/shared/app-version.ts';

/** What an answer shows, of which its sentences speak. */
export type ShownInsights = Pick<Insights, 'events' | 'store' | 'judged' | 'versions'> &
  Partial<Pick<Insights, 'reviews'>> & {
    funnel: { people: number } | null;
  };

type Steps = NonNullable<Insights['judged']>['steps'];

const percent = (part: number, whole: number) => ((part / whole) * 100).toFixed(1);
const must = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('A sentence speaks of nothing.');
  return value;
};
const peopleOf = (steps: Steps) => steps.map(({ people }) => must(people));
const all = (people: readonly number[]) => percent(people.at(-1)!, people[0]!);

/** The numbers of a sentence, without names in quotes. */
export const numbersOf = ({ title, detail }: Recommendation): string[] =>
  `${title} ${detail}`.replace(/“[^”]*”/g, '').match(/\d+(\.\d+)?/g) ?? [];

function ofStep({ step, severity, detail }: Recommendation, { judged }: ShownInsights): string[] {
  const now = peopleOf(must(judged).steps);
  const index = must(step) - 1;
  const share = percent(now[index]!, now[index - 1]!);
  const lost = String(now[index - 1]! - now[index]!);
  if (severity === 'info') return [share, lost];
  const before = peopleOf(must(judged).previous.steps);
  const whole = detail.includes('Of all people') ? [all(now), all(before)] : [];
  return [share, percent(before[index]!, before[index - 1]!), lost, ...whole];
}

/** The numbers in the name of a version. */
const versionNumbers = (appVersion: string) => appVersion.match(/\d+(\.\d+)?/g) ?? [];

function ofVersions(
  { title, detail, step, comparison }: Recommendation,
  shown: ShownInsights,
): string[] {
  const { worse, before, later, hasRecovered, peopleYesterday } = must(comparison);
  const known = must(shown.versions).figures;
  const rateOf = ({ appVersion }: { appVersion: string }) => {
    const { steps } = must(known.find((one) => one.appVersion === appVersion));
    const [of, through] = [
      must(steps[must(step) - 2]?.people),
      must(steps[must(step) - 1]?.people),
    ];
    const { low, high } = must(wilson(through, of));
    return { rate: percent(through, of), low, high, ends: [percent(low, 1), percent(high, 1)] };
  };
  const [now, was] = [rateOf(worse), rateOf(before)];
  if (now.high >= was.low) throw new Error('The intervals touch.');
  if (compareVersions(before.appVersion, worse.appVersion) >= 0) throw new Error('It is older.');
  if (later && compareVersions(worse.appVersion, later.appVersion) >= 0)
    throw new Error('It is older.');
  if (hasRecovered !== (later !== null && rateOf(later).low > now.high))
    throw new Error('Recovered?');
  if (detail.includes('not surely better') !== (later !== null && !hasRecovered))
    throw new Error(detail);
  return [
    ...versionNumbers(title.replace(/ .*/, '')),
    ...[now.rate, ...now.ends, was.rate],
    ...[...versionNumbers(before.appVersion), ...was.ends],
    ...(later ? [...versionNumbers(later.appVersion), rateOf(later).rate] : []),
    ...[String(peopleYesterday), ...versionNumbers(worse.appVersion)],
  ];
}

function ofDownloads({ title }: Recommendation, shown: ShownInsights): string[] {
  const { events, funnel, store } = shown;
  if ((funnel?.people ?? 0) > 0) throw new Error('People are in the funnel that is shown.');
  if (title.includes('no events arrive') !== (events.people === 0)) throw new Error('Events came.');
  return [String(Math.round(must(store).downloads))];
}

/** The numbers that a sentence must have, out of the answer alone; throws where it has no ground. */
export function groundOf(one: Recommendation, shown: ShownInsights, now: Date): string[] {
  const { events, judged } = shown;
  const store = () => must(shown.store);
  switch (one.code) {
    case 'events_not_arriving': {
      if (one.metric.name !== 'hours_since_last_event') return ofDownloads(one, shown);
      const hours = (now.getTime() - Date.parse(must(events.lastEventAt))) / 3_600_000;
      return [String(Math.floor(hours)), String(events.weekBefore)];
    }
    case 'store_days_missing': {
      const { missingDays } = store();
      const named = missingDays.slice(0, 3).flatMap((day) => day.split('-'));
      const more = missingDays.length > 3 ? [String(missingDays.length - 3)] : [];
      return [String(missingDays.length), ...named, ...more];
    }
    case 'too_few_people':
      return [String(must(judged).people), '50'];
    case 'biggest_leak':
      return ofStep(one, shown);
    case 'paywall_before_value': {
      const { viewers, finishedAfter } = must(must(judged).paywallFirst);
      return [percent(finishedAfter, viewers), String(viewers)];
    }
    case 'trial_not_offered':
      if (store().trials > 0) throw new Error('Trials were started.');
      return [String(must(store().newSubscriptionUnits))];
    case 'conversion_falling':
      return [all(peopleOf(must(judged).steps)), all(peopleOf(must(judged).previous.steps))];
    case 'version_reviews': {
      const { appVersion, reviews, mean, before } = must(shown.reviews);
      if (!before.isBeyondChance || (one.severity === 'act') !== mean < before.mean) {
        throw new Error('It says more than the figures.');
      }
      const version = versionNumbers(appVersion);
      const title = [...version, mean.toFixed(1), String(reviews), before.mean.toFixed(1)];
      return [...title, ...version, String(before.reviews), ...versionNumbers(before.appVersion)];
    }
    case 'version_conversion':
      return ofVersions(one, shown);
    case 'refunds_rising': {
      const { refunds, paidUnits, previousRefunds, previousPaidUnits } = store();
      return [refunds, paidUnits, previousRefunds, previousPaidUnits].map(String);
    }
    case 'country_buys_but_does_not_convert': {
      const country = one.title.slice(0, 2);
      const bought = store().purchasesByCountry;
      const units = must(bought.find((row) => row.country === country)).units;
      const sum = bought.reduce((so, row) => so + row.units, 0);
      const rate = must(must(judged).byCountry.find((row) => row.country === country)?.rate);
      const whole = all(peopleOf(must(judged).steps));
      return [percent(units, sum), percent(rate, 1), whole];
    }
    case 'consent_rescinded':
    case 'external_purchase_token':
      return [String(one.metric.value)];
  }
}
