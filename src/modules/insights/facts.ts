import type { GroupFigures } from '../funnels/index.ts';
import type { InsightEvents, Recommendation, Severity, StoreFigures } from './model.ts';

/** Of people whose conversion window is over. */
export type MatureFunnel = Pick<GroupFigures, 'people' | 'verdict' | 'steps' | 'overall'>;

/** Input of the rules: figures that the answer shows. */
export type Facts = {
  now: Date;
  events: InsightEvents & {
    /** Hours with events in the seven days before the last event. */
    activeHours: number;
    /** People by event name in the window. */
    names: ReadonlyMap<string, number>;
  };
  /** The default funnel as shown; null without one. */
  shown: {
    people: number;
    endsAt: Date;
    /** People with step 1's event, ignoring its `where`. */
    withFirstStep: number;
  } | null;
  /** Expected date of fifty people, as a sentence. */
  forecast?: string | null;
  funnel: MatureFunnel | null;
  previousFunnel: MatureFunnel | null;
  funnelByCountry: readonly ({ country: string } & MatureFunnel)[];
  /** Viewers of a paywall, and those who finished the onboarding only later. */
  paywallFirst: { viewers: number; finishedAfter: number } | null;
  store: StoreFigures | null;
};

export type Finding = Pick<Recommendation, 'title' | 'detail' | 'metric'> & {
  step?: number;
  /** Overrides the rule's severity. */
  severity?: Severity;
};
