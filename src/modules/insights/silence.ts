import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import type { Facts, Finding } from './facts.ts';

/** Above this weekly volume, every day should have events. */
const USUAL_WEEKLY_EVENTS = 100;
const SILENT_HOURS = 24;
const SILENCE_BY_CHANCE = 1e-4;
const WEEK_HOURS = 168;
/** Enough installs for at least one event. */
const DOWNLOADS_WITHOUT_EVENTS = 50;

function silenceByChance(activeHours: number): number {
  const hours = (-Math.log(SILENCE_BY_CHANCE) * WEEK_HOURS) / Math.max(1, activeHours);
  return Math.max(SILENT_HOURS, Math.ceil(hours));
}

/** Silence longer than chance explains. */
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

/** Apps with a first event on the window's last day are left out. */
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
