import type { Facts, Finding } from './facts.ts';

const SILENT_HOURS = 24;
/** Silence is news when an app like this is silent for so long once in 10,000 days. */
const SILENCE_BY_CHANCE = 1e-4;
const WEEK_HOURS = 168;
/** As many installed the app; at least one of them would have sent an event. */
const DOWNLOADS_WITHOUT_EVENTS = 50;

/**
 * How long an app stays silent by chance: with sessions that come independently, as they filled the
 * hours of its last week. A small app is silent for days.
 */
export function silenceByChance(activeHours: number): number {
  const hours = (-Math.log(SILENCE_BY_CHANCE) * WEEK_HOURS) / Math.max(1, activeHours);
  return Math.max(SILENT_HOURS, Math.ceil(hours));
}

/** People install the app, and not one event of theirs has come: the client is not built in. */
export function downloadsWithoutEvents({ store, events, funnel }: Facts): Finding | null {
  if (!store || store.downloads < DOWNLOADS_WITHOUT_EVENTS) return null;
  const isSilent = events.people.size === 0;
  if (!isSilent && (funnel === null || funnel.people > 0)) return null;
  const title = isSilent
    ? 'People download the app, and no events arrive'
    : 'People download the app, and nobody enters the funnel';
  const advice = isSilent
    ? 'Build the client into the app, and check its publishable key.'
    : 'Check that the app sends the first step, and which funnel is the default.';
  return {
    title,
    detail: `${Math.round(store.downloads)} downloads in these days and 0 people. ${advice}`,
    metric: {
      name: 'downloads_without_people',
      value: store.downloads,
      threshold: DOWNLOADS_WITHOUT_EVENTS,
      unit: 'units',
    },
  };
}
