import type { GroupFigures } from '../funnels/index.ts';
import type { InsightEvents, Recommendation, Severity, StoreFigures } from './model.ts';

/** Of people whose conversion window is over. */
export type MatureFunnel = Pick<GroupFigures, 'people' | 'verdict' | 'steps' | 'overall'>;

/** New people by the version with which they entered the funnel. */
export type VersionFigures = { appVersion: string } & Pick<
  MatureFunnel,
  'people' | 'verdict' | 'steps'
>;

/** People at each step, by platform. */
export type PeopleByPlatform = ReadonlyMap<string, readonly number[]>;

export type Versions = {
  /** Oldest version first. */
  figures: readonly VersionFigures[];
  /** Of the versions of possible falls. */
  platforms: ReadonlyMap<string, PeopleByPlatform>;
  /** Days of the app's zone; without versions that were there before the window. */
  firstSeenOn: ReadonlyMap<string, string>;
  /** With an event on the last whole day of the app's zone; null unless a fall is possible. */
  yesterday: { people: number; byVersion: ReadonlyMap<string, number> } | null;
};

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
  /** Null without a funnel, or without an answer in time. */
  versions: Versions | null;
};

export type Finding = Pick<Recommendation, 'title' | 'detail' | 'metric' | 'comparison'> & {
  step?: number;
  /** Overrides the rule's severity. */
  severity?: Severity;
};
