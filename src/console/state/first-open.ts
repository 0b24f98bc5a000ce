type Step = { event: string; where?: unknown };

/** A step that everybody who uses an app does again and again. */
const OPEN = 'app_opened';

/** Whether a funnel begins with what people do each time; then only who is new says anything. */
export const beginsWithOpen = (steps: readonly Step[]): boolean =>
  steps[0]?.event === OPEN && !steps[0].where;

/** As the routes of funnels take it: only people whose first event is in the range. */
export const opensFirst = (steps: readonly Step[]): { people?: 'new' } =>
  beginsWithOpen(steps) ? { people: 'new' } : {};
