import type { GroupFigures } from '../funnels/index.ts';
import type { InsightEvents, Recommendation, Severity, StoreFigures } from './model.ts';

/** A funnel whose people have all had their time to convert. */
export type MatureFunnel = Pick<GroupFigures, 'people' | 'verdict' | 'steps' | 'overall'>;

/** The input of the recommendation rules: what the answer shows, so that they say nothing else. */
export type Facts = {
  now: Date;
  events: InsightEvents & {
    /** Hours of the seven days before the last event that had any. */
    activeHours: number;
    /** People by event name, of the window. */
    names: ReadonlyMap<string, number>;
  };
  /** The default funnel as it is shown; null without one. */
  shown: {
    people: number;
    /** Instant at which the days of the window end. */
    endsAt: Date;
    /** People with the event of step 1 up to now, whatever `where` it asks for. */
    withFirstStep: number;
  } | null;
  /** Of a funnel with too few people: when it will have enough, in a sentence. */
  forecast?: string | null;
  funnel: MatureFunnel | null;
  previousFunnel: MatureFunnel | null;
  funnelByCountry: readonly ({ country: string } & MatureFunnel)[];
  /** People who saw a paywall, and those of them who finished the onboarding only after it. */
  paywallFirst: { viewers: number; finishedAfter: number } | null;
  store: StoreFigures | null;
};

/** What a rule has found. */
export type Finding = Pick<Recommendation, 'title' | 'detail' | 'metric'> & {
  step?: number;
  /** Where it is not that of the rule. */
  severity?: Severity;
};
