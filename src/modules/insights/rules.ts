import { wilson } from '../../shared/statistics/rates.ts';
import { must } from '../../shared/assert.ts';
import { counted, percent } from '../../shared/text.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { judge } from '../../shared/statistics/verdict.ts';
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
import { openConsents, openTokens } from './open-notices.ts';
import { downloadsWithoutPeople, silence } from './silence.ts';
import { versionFinding } from './version-finding.ts';

export type Rule = {
  code: RecommendationCode;
  severity: Severity;
  find: (facts: Facts) => Finding | null;
};

/** Lower 95 % bound for "paywall first". */
const PAYWALL_FIRST_RATE = 0.5;
const SUBSCRIPTIONS_WITHOUT_TRIAL = 20;
const MIN_REFUNDS = 10;
/** Smallest share of purchases of a relevant country. */
const COUNTRY_SHARE = 0.1;
const MIN_PURCHASES = 50;

const NAMED_DAYS = 3;

function shortList(days: readonly string[]): string {
  const named = days.slice(0, NAMED_DAYS).join(', ');
  return days.length > NAMED_DAYS ? `${named} and ${days.length - NAMED_DAYS} more` : named;
}

function ready(funnel: MatureFunnel | null): MatureFunnel | null {
  return funnel?.verdict === 'ready' ? funnel : null;
}

const eventsNotArriving: Rule = {
  code: 'events_not_arriving',
  severity: 'act',
  find: (facts) => silence(facts) ?? downloadsWithoutPeople(facts),
};

const storeDaysMissing: Rule = {
  code: 'store_days_missing',
  severity: 'warn',
  find: ({ store }) => {
    const days = store?.missingDays ?? [];
    if (days.length === 0) return null;
    return {
      title: 'Sales days are missing',
      detail: `${counted(days.length, 'day of these holds', 'of these days hold')} neither sales nor a confirmed zero (${shortList(days)}), so totals may be too low. Refresh the sales.`,
      metric: { name: 'missing_days', value: days.length, threshold: 0, unit: 'days' },
    };
  },
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

function lostAt({ dropped }: { dropped: number | null }): string {
  const lost = must(dropped, 'a funnel that is ready has figures');
  return `${counted(lost, 'person was', 'people were')} lost there.`;
}

function overallFall(now: MatureFunnel, before: MatureFunnel): string {
  if (!hasFallen(shareOfAll(now), shareOfAll(before), { least: LEAST_FALL_OF_CONVERSION }))
    return '';
  return ` Of all people ${percent(now.overall.rate ?? 0)} came through, after ${percent(before.overall.rate ?? 0)}.`;
}

/** Against the app's own past: every funnel loses most people somewhere. */
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
        detail: `${percent(value)} of those who reached the step before come through, after ${percent(found.was.rateFromPrevious ?? 0)} in the window before; ${lostAt(found.step)}${overallFall(now, before)}`,
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
  severity: 'info',
  find: ({ paywallFirst }) => {
    if (!paywallFirst || judge(paywallFirst.viewers) !== 'ready') return null;
    const { viewers, finishedAfter } = paywallFirst;
    const interval = wilson(finishedAfter, viewers);
    if (!interval || interval.low <= PAYWALL_FIRST_RATE) return null;
    return {
      title: 'The paywall comes before the onboarding is done',
      detail: `${percent(finishedAfter / viewers)} of the ${viewers} people who saw a paywall finished the onboarding only afterwards. An experiment tells which order earns more.`,
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
    const startedTrials = events.names.get('trial_started') ?? 0;
    if (!store || store.trials > 0 || startedTrials > 0) return null;
    const { newSubscriptionUnits: sold } = store;
    if (sold === null || sold < SUBSCRIPTIONS_WITHOUT_TRIAL) return null;
    return {
      title: 'Subscriptions sell without a trial',
      detail: `${sold} new subscriptions were sold and no trial was started. An experiment with a free trial would tell whether more people subscribe.`,
      metric: {
        name: 'subscriptions_without_trial',
        value: sold,
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
    if (!now || !before || fallenStep(now, before)) return null;
    if (!hasFallen(shareOfAll(now), shareOfAll(before), { least: LEAST_FALL_OF_CONVERSION }))
      return null;
    const value = now.overall.rate ?? 0;
    return {
      title: 'Conversion has fallen',
      detail: `${percent(value)} of the people came through, after ${percent(before.overall.rate ?? 0)} in the window before; the two intervals do not touch.`,
      metric: { name: 'overall_rate', value, threshold: before.overall.rateLow ?? 0, unit: 'rate' },
    };
  },
};

const versionConversion: Rule = {
  code: 'version_conversion',
  severity: 'warn',
  find: ({ versions }) => versions && versionFinding(versions),
};

const versionReviews: Rule = {
  code: 'version_reviews',
  severity: 'act',
  find: ({ reviews: change }) => {
    if (!change) return null;
    const { appVersion, reviews, mean, before } = change;
    const isWorse = mean < before.mean;
    return {
      ...(!isWorse && { severity: 'info' as const }),
      title: `${appVersion}: mean ${mean.toFixed(1)} of ${reviews} reviews, ${before.mean.toFixed(1)} before`,
      detail: `Written reviews since ${appVersion} is on sale are ${isWorse ? 'worse' : 'better'} than the ${before.reviews} of ${before.appVersion}, beyond chance. ${isWorse ? 'Read the newest ones.' : 'Whatever changed, people like it.'}`,
      metric: { name: 'mean_rating', value: mean, threshold: before.mean, unit: 'stars' },
    };
  },
};

const refundsRising: Rule = {
  code: 'refunds_rising',
  severity: 'warn',
  find: ({ store }) => {
    if (!store || store.refunds < MIN_REFUNDS) return null;
    const { refunds, paidUnits, previousRefunds, previousPaidUnits } = store;
    // Refunds of earlier sales can exceed a window's sales.
    const now = wilson(Math.min(refunds, paidUnits), paidUnits);
    const before = wilson(Math.min(previousRefunds, previousPaidUnits), previousPaidUnits);
    if (!now || !before || now.low <= before.high) return null;
    const rates = {
      before: { rate: Math.min(1, previousRefunds / previousPaidUnits), of: previousPaidUnits },
      now: { rate: Math.min(1, refunds / paidUnits), of: paidUnits },
    };
    if (deviations(rates.before, rates.now) < DEVIATIONS) return null;
    return {
      title: 'Refunds are rising',
      detail: `${counted(refunds, 'refund', 'refunds')} beside ${paidUnits} paid units, after ${previousRefunds} beside ${previousPaidUnits} in the window before.`,
      metric: {
        name: 'refund_rate',
        value: refunds / paidUnits,
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
    if (!store || overall?.rate == null || overall.rateLow === null) return null;
    const purchases = new Map(store.purchasesByCountry.map((row) => [row.country, row.units]));
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
      detail: `${percent(shareOf(group.country))} of all purchases come from ${group.country}, where ${percent(rate)} of the people come through; everywhere together it is ${percent(overall.rate)}. Purchases are by the country of the store account, people by that of the device. Look at prices and translation.`,
      metric: { name: 'overall_rate_of_country', value: rate, threshold: lowest, unit: 'rate' },
    };
  },
};

export const RULES: readonly Rule[] = [
  eventsNotArriving,
  storeDaysMissing,
  tooFewPeople,
  biggestLeak,
  paywallBeforeValue,
  trialNotOffered,
  conversionFalling,
  versionReviews,
  versionConversion,
  refundsRising,
  countryBuysButDoesNotConvert,
  { code: 'consent_rescinded', severity: 'act', find: openConsents },
  { code: 'external_purchase_token', severity: 'act', find: openTokens },
];

export function recommend(facts: Facts): Recommendation[] {
  return RULES.flatMap(({ code, severity, find }): Recommendation[] => {
    const finding = find(facts);
    return finding ? [{ code, severity, ...finding, step: finding.step ?? null }] : [];
  });
}
