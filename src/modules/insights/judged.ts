import { judge } from '../../shared/statistics/verdict.ts';
import type { FunnelFacts } from './funnel-facts.ts';
import type { JudgedFunnel } from './model.ts';

export function judgedFunnel(facts: FunnelFacts): JudgedFunnel | null {
  const { funnel, previousFunnel, funnelByCountry, paywallFirst, judgedWindow } = facts;
  if (!funnel || !previousFunnel || !judgedWindow) return null;
  const isShown = paywallFirst !== null && judge(paywallFirst.viewers) === 'ready';
  const { people, verdict, steps, overall } = funnel;
  return {
    window: judgedWindow,
    ...{ people, verdict, steps, overall },
    previous: {
      people: previousFunnel.people,
      verdict: previousFunnel.verdict,
      steps: previousFunnel.steps,
      overall: previousFunnel.overall,
    },
    byCountry: funnelByCountry.map((group) => ({
      country: group.country,
      people: group.people,
      ...{ rate: group.overall.rate, rateHigh: group.overall.rateHigh },
    })),
    paywallFirst: isShown ? paywallFirst : null,
  };
}
