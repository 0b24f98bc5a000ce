type Step = { event: string; where?: unknown };

/** A step that everybody who uses an app does again and again. */
const OPEN = 'app_opened';

/** Only who is new says anything then. */
export const beginsWithOpen = (steps: readonly Step[]): boolean =>
  steps[0]?.event === OPEN && !steps[0].where;

export const opensFirst = (steps: readonly Step[]): { people?: 'new' } =>
  beginsWithOpen(steps) ? { people: 'new' } : {};
