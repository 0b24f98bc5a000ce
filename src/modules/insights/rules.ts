import { wilson } from '../../query/funnel/statistics.ts';
import { must } from '../../shared/assert.ts';
import { counted } from '../../shared/text.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { judge, MINIMUM_PEOPLE } from '../funnels/index.ts';
import type { Facts, Finding, MatureFunnel } from './facts.ts';
import {
  DEVIATIONS,
  deviations,
  fallenStep,
  hasFallen,
  LEAST_FALL_OF_CONVERSION,
  shareOfAll,
  worstStep,
} from './falls.ts';
import type { Recommendation, RecommendationCode, Severity } from './model.ts';
import { downloadsWithoutEvents, silenceByChance } from './silence.ts';

export type Rule = {
  code: RecommendationCode;
  severity: Severity;
  /** Null when the figures do not support the recommendation. */
  find: (facts: Facts) => Finding | null;
};

/** An app that usually sends at least this many events a week is expected to send some each day. */
const USUAL_WEEKLY_EVENTS = 100;
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
  find: (facts) => {
    const { now, events } = facts;
    if (events.lastDay > 0 || events.weekBefore < USUAL_WEEKLY_EVENTS || !events.lastEventAt) {
      return downloadsWithoutEvents(facts);
    }
    const silentHours = (now.getTime() - events.lastEventAt.getTime()) / HOUR_MS;
    const threshold = silenceByChance(events.activeHours);
    if (silentHours < threshold) return null;
    return {
      title: 'No events are arriving',
      detail: `The last event came ${Math.floor(silentHours)} hours ago; the week before had ${events.weekBefore}. Look at the ingestion page and at the latest release of the app.`,
      metric: {
        name: 'hours_since_last_event',
        value: Math.floor(silentHours),
        threshold,
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
          detail: `${counted(store.gaps, 'day inside the collected range holds', 'days inside the collected range hold')} neither sales nor a confirmed zero, so totals may be too low. Refresh the sales.`,
          metric: { name: 'missing_days', value: store.gaps, threshold: 0, unit: 'days' },
        }
      : null,
};

const tooFewPeople: Rule = {
  code: 'too_few_people',
  severity: 'info',
  find: ({ forecast, funnel }) =>
    funnel?.verdict === 'too_few_people'
      ? {
          title: 'Too few people to judge the funnel',
          detail: `${counted(funnel.people, 'person has', 'people have')} had their time to convert; nothing is concluded from fewer than ${MINIMUM_PEOPLE}. ${forecast ?? 'Choose a longer window.'}`,
          metric: {
            name: 'mature_people',
            value: funnel.people,
            threshold: MINIMUM_PEOPLE,
            unit: 'people',
          },
        }
      : null,
};

/** How many the funnel lost before a step; of one that is ready, whose figures are known. */
function lostAt({ dropped }: { dropped: number | null }): string {
  const lost = must(dropped, 'a funnel that is ready has figures');
  return `${counted(lost, 'person was', 'people were')} lost there.`;
}

/**
 * Held against the app's own past: every funnel loses most people somewhere, so that it does is no
 * news. Without a window before it is information.
 */
const biggestLeak: Rule = {
  code: 'biggest_leak',
  severity: 'act',
  find: ({ funnel, previousFunnel }) => {
    const now = ready(funnel);
    const before = ready(previousFunnel);
    if (!now) return null;
    const name = 'rate_from_previous_step';
    if (before) {
      const found = fallenStep(now, before);
      if (!found) return null;
      const value = found.step.rateFromPrevious ?? 0;
      const threshold = found.was.rateFromPreviousLow ?? 0;
      return {
        title: `More people than before are lost before “${found.step.label}”`,
        detail: `${percent(value)} of those who reached the step before come through, after ${percent(found.was.rateFromPrevious ?? 0)} in the window before; ${lostAt(found.step)}`,
        metric: { name, value, threshold, unit: 'rate' },
        step: found.step.index,
      };
    }
    const worst = worstStep(now);
    if (!worst) return null;
    const value = worst.step.rateFromPrevious ?? 0;
    return {
      severity: 'info',
      title: `Most people are lost before “${worst.step.label}”`,
      detail: `${percent(value)} of those who reached the step before come through, fewer than at every other step; ${lostAt(worst.step)}`,
      metric: { name, value, threshold: worst.nextWorst, unit: 'rate' },
      step: worst.step.index,
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
    const [now, before] = [ready(funnel), ready(previousFunnel)];
    if (!now || !before) return null;
    if (!hasFallen(shareOfAll(now), shareOfAll(before), LEAST_FALL_OF_CONVERSION)) return null;
    const value = now.overall.rate ?? 0;
    return {
      title: 'Conversion has fallen',
      detail: `${percent(value)} of the people came through, after ${percent(before.overall.rate ?? 0)} in the window before; the two intervals do not touch.`,
      metric: { name: 'overall_rate', value, threshold: before.overall.rateLow ?? 0, unit: 'rate' },
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
    const rates = {
      before: {
        rate: Math.min(1, store.previousRefunds / store.previousUnits),
        of: store.previousUnits,
      },
      now: { rate: Math.min(1, store.refunds / store.units), of: store.units },
    };
    if (deviations(rates.before, rates.now) < DEVIATIONS) return null;
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
