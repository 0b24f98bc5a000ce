import type { GroupFigures } from '../questions/index.ts';
import type { OpenNotices } from '../purchases/index.ts';
import type { ReviewChange } from '../reviews/index.ts';
import type { InsightEvents, Recommendation, Severity, StoreFigures } from './model.ts';

export type MatureFunnel = Pick<GroupFigures, 'people' | 'verdict' | 'steps' | 'overall'>;

export type VersionFigures = { appVersion: string } & Pick<
  MatureFunnel,
  'people' | 'verdict' | 'steps'
>;

/** People at each step, by platform. */
export type PeopleByPlatform = ReadonlyMap<string, readonly number[]>;

export type Versions = {
  /** Oldest version first. */
  figures: readonly VersionFigures[];
  platforms: ReadonlyMap<string, PeopleByPlatform>;
  firstSeenOn: ReadonlyMap<string, string>;
  /** With an event on the last whole day; null unless a fall is possible. */
  yesterday: { people: number; byVersion: ReadonlyMap<string, number> } | null;
};

export type Facts = {
  now: Date;
  events: InsightEvents & {
    /** Hours with events in the seven days before the last event. */
    activeHours: number;
    names: ReadonlyMap<string, number>;
  };
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
  /** Includes people who finished the onboarding only later. */
  paywallFirst: { viewers: number; finishedAfter: number } | null;
  store: StoreFigures | null;
  versions: Versions | null;
  /** Beyond chance; null or missing without. */
  reviews?: ReviewChange | null;
  notices?: OpenNotices;
};

export type Finding = Pick<Recommendation, 'title' | 'detail' | 'metric' | 'comparison'> & {
  step?: number;
  /** Overrides the rule's severity. */
  severity?: Severity;
};
