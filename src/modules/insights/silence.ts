import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import type { Facts, Finding } from './facts.ts';

/** An app that usually sends at least this many events a week is expected to send some each day. */
const USUAL_WEEKLY_EVENTS = 100;
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
function silenceByChance(activeHours: number): number {
  const hours = (-Math.log(SILENCE_BY_CHANCE) * WEEK_HOURS) / Math.max(1, activeHours);
  return Math.max(SILENT_HOURS, Math.ceil(hours));
}

/** The app sent events, and has sent none for longer than chance makes it. */
export function silence({ now, events }: Facts): Finding | null {
  const { lastDay, weekBefore, lastEventAt, activeHours } = events;
  if (lastDay > 0 || weekBefore < USUAL_WEEKLY_EVENTS || lastEventAt === null) return null;
  const silentHours = Math.floor((now.getTime() - new Date(lastEventAt).getTime()) / HOUR_MS);
  const threshold = silenceByChance(activeHours);
  if (silentHours < threshold) return null;
  return {
    title: 'No events are arriving',
    detail: `The last event came ${silentHours} hours ago; the week before had ${weekBefore}. Look at the ingestion page and at the latest release of the app.`,
    metric: { name: 'hours_since_last_event', value: silentHours, threshold, unit: 'hours' },
  };
}

function withoutPeople(downloads: number, title: string, detail: string): Finding {
  return {
    title,
    detail,
    metric: {
      name: 'downloads_without_people',
      value: downloads,
      threshold: DOWNLOADS_WITHOUT_EVENTS,
      unit: 'units',
    },
  };
}

/**
 * People install the app, and not one event of theirs has come, or nobody is in the funnel that the
 * same answer shows. An app whose first events are of the last day of the window may still fill it.
 */
export function downloadsWithoutPeople({ store, events, shown }: Facts): Finding | null {
  if (!store || store.downloads < DOWNLOADS_WITHOUT_EVENTS || (shown && shown.people > 0)) {
    return null;
  }
  const downloads = `${Math.round(store.downloads)} downloads in these days`;
  if (events.people === 0) {
    return withoutPeople(
      store.downloads,
      'People download the app, and no events arrive',
      `${downloads} and no event. Build the client into the app, and check its publishable key.`,
    );
  }
  if (!shown || events.firstEventAt === null || shown.withFirstStep > 0) return null;
  const isYoung = new Date(events.firstEventAt).getTime() > shown.endsAt.getTime() - DAY_MS;
  if (isYoung) return null;
  return withoutPeople(
    store.downloads,
    'People download the app, and nobody enters the funnel',
    `${downloads} and nobody in the first step. Check that the app sends it, and which funnel is the default.`,
  );
}
