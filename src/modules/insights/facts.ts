import type { GroupFigures } from '../funnels/index.ts';
import type { Recommendation, Severity } from './model.ts';

/** A funnel whose people have all had their time to convert. */
export type MatureFunnel = Pick<GroupFigures, 'people' | 'verdict' | 'steps' | 'overall'>;

export type StoreFacts = {
  downloads: number;
  units: number;
  refunds: number;
  trials: number;
  subscriptionUnits: number;
  previousUnits: number;
  previousRefunds: number;
  /** Days inside the covered range that hold neither rows nor a zero. */
  gaps: number;
  /** Purchases by country; null where other apps of the organization sell too. */
  purchasesByCountry: ReadonlyMap<string, number> | null;
};

/** The input of the recommendation rules. */
export type Facts = {
  now: Date;
  events: {
    /** In the 24 hours before `now`, and in the week before those. */
    lastDay: number;
    weekBefore: number;
    /** Hours of the seven days before the last event that had any. */
    activeHours: number;
    lastEventAt: Date | null;
    /** People by event name, of the window. */
    people: ReadonlyMap<string, number>;
  };
  /** Of a funnel with too few people: when it will have enough, in a sentence. */
  forecast?: string | null;
  funnel: MatureFunnel | null;
  previousFunnel: MatureFunnel | null;
  funnelByCountry: readonly ({ country: string } & MatureFunnel)[];
  /** People who saw a paywall, and those of them who finished the onboarding only after it. */
  paywallFirst: { viewers: number; finishedAfter: number } | null;
  store: StoreFacts | null;
};

/** What a rule has found. */
export type Finding = Pick<Recommendation, 'title' | 'detail' | 'metric'> & {
  step?: number;
  /** Where it is not that of the rule. */
  severity?: Severity;
};
