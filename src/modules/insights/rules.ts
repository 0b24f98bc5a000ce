import { wilson } from '../../query/funnel/statistics.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { judge, MINIMUM_PEOPLE } from '../funnels/index.ts';
import type { Facts, MatureFunnel } from './facts.ts';
import type { Metric, Recommendation, RecommendationCode, Severity } from './model.ts';

type Finding = { title: string; detail: string; metric: Metric; step?: number };

export type Rule = {
  code: RecommendationCode;
  severity: Severity;
  /** Null when the figures do not support the recommendation. */
  find: (facts: Facts) => Finding | null;
};

/** An app that usually sends at least this many events a week is expected to send some each day. */
const USUAL_WEEKLY_EVENTS = 100;
const SILENT_HOURS = 24;
/** A step is a leak when the rate is below this with 95 % confidence. */
const LEAK_RATE = 0.7;
/** The paywall comes first when the share is above this with 95 % confidence. */
const PAYWALL_FIRST_RATE = 0.5;
const SUBSCRIPTIONS_WITHOUT_TRIAL = 20;
const MIN_REFUNDS = 10;
/** A country matters when it brings at least this share of all purchases. */
const COUNTRY_SHARE = 0.1;
const MIN_PURCHASES = 50;

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;

function ready(funnel: MatureFunnel | null): MatureFunnel | null {
  return funnel?.verdict === 'ready' ? funnel : null;
}

const eventsNotArriving: Rule = {
  code: 'events_not_arriving',
  severity: 'act',
  find: ({ now, events }) => {
    if (events.lastDay > 0 || events.weekBefore < USUAL_WEEKLY_EVENTS || !events.lastEventAt) {
      return null;
    }
    const silentHours = (now.getTime() - events.lastEventAt.getTime()) / HOUR_MS;
    return {
      title: 'No events are arriving',
      detail: `The last event came ${Math.floor(silentHours)} hours ago; the week before had ${events.weekBefore}. Look at the ingestion page and at the latest release of the app.`,
      metric: {
        name: 'hours_since_last_event',
        value: Math.floor(silentHours),
        threshold: SILENT_HOURS,
        unit: 'hours',
      },
    };
  },
};

const storeDaysMissing: Rule = {
  code: 'store_days_missing',
  severity: 'warn',
  find: ({ store }) =>
    store && store.gaps > 0
      ? {
          title: 'Sales days are missing',
          detail: `${store.gaps} days inside the collected range hold neither sales nor a confirmed zero, so totals may be too low. Refresh the sales.`,
          metric: { name: 'missing_days', value: store.gaps, threshold: 0, unit: 'days' },
        }
      : null,
};

const tooFewPeople: Rule = {
  code: 'too_few_people',
  severity: 'info',
  find: ({ funnel }) =>
    funnel?.verdict === 'too_few_people'
      ? {
          title: 'Too few people to judge the funnel',
          detail: `${funnel.people} people have had their time to convert; nothing is concluded from fewer than ${MINIMUM_PEOPLE}. Choose a longer window.`,
          metric: {
            name: 'mature_people',
            value: funnel.people,
            threshold: MINIMUM_PEOPLE,
            unit: 'people',
          },
        }
      : null,
};

const biggestLeak: Rule = {
  code: 'biggest_leak',
  severity: 'act',
  find: ({ funnel }) => {
    const step = ready(funnel)?.steps.find(({ verdict }) => verdict === 'biggest_leak');
    const { rateFromPrevious, rateFromPreviousHigh } = step ?? {};
    if (!step || rateFromPrevious == null || rateFromPreviousHigh == null) return null;
    if (rateFromPreviousHigh >= LEAK_RATE) return null;
    return {
      title: `Most people are lost before “${step.label}”`,
      detail: `${percent(rateFromPrevious)} of those who reached the step before come through (at most ${percent(rateFromPreviousHigh)}); ${step.dropped} people were lost there.`,
      metric: {
        name: 'rate_from_previous_step',
        value: rateFromPrevious,
        threshold: LEAK_RATE,
        unit: 'rate',
      },
      step: step.index,
    };
  },
};

const paywallBeforeValue: Rule = {
  code: 'paywall_before_value',
  severity: 'warn',
  find: ({ paywallFirst }) => {
    if (!paywallFirst || judge(paywallFirst.viewers) !== 'ready') return null;
    const { viewers, finishedAfter } = paywallFirst;
    const interval = wilson(finishedAfter, viewers);
    if (!interval || interval.low <= PAYWALL_FIRST_RATE) return null;
    return {
      title: 'The paywall comes before the onboarding is done',
      detail: `${percent(finishedAfter / viewers)} of the people who saw a paywall finished the onboarding only afterwards: they are asked to pay before they have seen what for.`,
      metric: {
        name: 'finished_onboarding_after_paywall',
        value: finishedAfter / viewers,
        threshold: PAYWALL_FIRST_RATE,
        unit: 'rate',
      },
    };
  },
};

const trialNotOffered: Rule = {
  code: 'trial_not_offered',
  severity: 'info',
  find: ({ store, events }) => {
    const startedTrials = events.people.get('trial_started') ?? 0;
    if (!store || store.trials > 0 || startedTrials > 0) return null;
    if (store.subscriptionUnits < SUBSCRIPTIONS_WITHOUT_TRIAL) return null;
    return {
      title: 'Subscriptions sell without a trial',
      detail: `${store.subscriptionUnits} subscriptions were sold and no trial was started. An experiment with a free trial would tell whether more people stay.`,
      metric: {
        name: 'subscriptions_without_trial',
        value: store.subscriptionUnits,
        threshold: SUBSCRIPTIONS_WITHOUT_TRIAL,
        unit: 'units',
      },
    };
  },
};

const conversionFalling: Rule = {
  code: 'conversion_falling',
  severity: 'warn',
  find: ({ funnel, previousFunnel }) => {
    const now = ready(funnel)?.overall;
    const before = ready(previousFunnel)?.overall;
    if (now?.rate == null || now.rateHigh === null) return null;
    if (before?.rate == null || before.rateLow === null || now.rateHigh >= before.rateLow) {
      return null;
    }
    return {
      title: 'Conversion has fallen',
      detail: `${percent(now.rate)} of the people came through, after ${percent(before.rate)} in the window before; the two intervals do not touch.`,
      metric: { name: 'overall_rate', value: now.rate, threshold: before.rateLow, unit: 'rate' },
    };
  },
};

const refundsRising: Rule = {
  code: 'refunds_rising',
  severity: 'warn',
  find: ({ store }) => {
    if (!store || store.refunds < MIN_REFUNDS) return null;
    // Refunds of earlier sales can exceed the sales of a window; a rate cannot exceed one.
    const now = wilson(Math.min(store.refunds, store.units), store.units);
    const before = wilson(
      Math.min(store.previousRefunds, store.previousUnits),
      store.previousUnits,
    );
    if (!now || !before || now.low <= before.high) return null;
    return {
      title: 'Refunds are rising',
      detail: `${store.refunds} of ${store.units} units were refunded, after ${store.previousRefunds} of ${store.previousUnits} in the window before.`,
      metric: {
        name: 'refund_rate',
        value: store.refunds / store.units,
        threshold: before.high,
        unit: 'rate',
      },
    };
  },
};

const countryBuysButDoesNotConvert: Rule = {
  code: 'country_buys_but_does_not_convert',
  severity: 'info',
  find: ({ store, funnel, funnelByCountry }) => {
    const overall = ready(funnel)?.overall;
    const purchases = store?.purchasesByCountry;
    if (!purchases || overall?.rate == null || overall.rateLow === null) return null;
    const all = [...purchases.values()].reduce((sum, count) => sum + count, 0);
    if (all < MIN_PURCHASES) return null;
    const lowest = overall.rateLow;
    const shareOf = (country: string) => (purchases.get(country) ?? 0) / all;
    const group = funnelByCountry.find((each) => {
      const high = ready(each)?.overall.rateHigh ?? null;
      return shareOf(each.country) >= COUNTRY_SHARE && high !== null && high < lowest;
    });
    const rate = group?.overall.rate;
    if (!group || rate == null) return null;
    return {
      title: `${group.country} buys, but fewer people convert there`,
      detail: `${percent(shareOf(group.country))} of all purchases come from ${group.country}, where ${percent(rate)} of the people come through; everywhere together it is ${percent(overall.rate)}. Look at prices and translation.`,
      metric: { name: 'overall_rate_of_country', value: rate, threshold: lowest, unit: 'rate' },
    };
  },
};

/** The table: every recommendation that can be given, most urgent first. */
export const RULES: readonly Rule[] = [
  eventsNotArriving,
  storeDaysMissing,
  tooFewPeople,
  biggestLeak,
  paywallBeforeValue,
  trialNotOffered,
  conversionFalling,
  refundsRising,
  countryBuysButDoesNotConvert,
];

export function recommend(facts: Facts): Recommendation[] {
  return RULES.flatMap(({ code, severity, find }): Recommendation[] => {
    const finding = find(facts);
    return finding ? [{ code, severity, ...finding, step: finding.step ?? null }] : [];
  });
}
