/**
 * The counting rules written down a second time, by trying every path. Slow, and
 * meant to be read beside docs/funnels.md rather than to be fast.
 */
export type ReferenceEvent = {
  person: string;
  name: string;
  /** Microseconds. */
  at: number;
  batchIndex: number;
  arrival: number;
  props: Record<string, string | number | boolean | null>;
};

export type ReferenceStep = { event: string; where?: { prop: string; equals: string } };

export type ReferenceRules = {
  steps: readonly ReferenceStep[];
  /** Step 1 falls into [from, until). */
  fromUs: number;
  untilUs: number;
  windowUs: number;
  /** Step 1 is at the instant at which the person first entered. */
  firstStartOnly?: boolean;
};

export type ReferencePath<E = ReferenceEvent> = { events: E[]; times: number[] };

type Placed = Pick<ReferenceEvent, 'arrival' | 'at' | 'batchIndex'>;
type Rules<S> = Omit<ReferenceRules, 'steps'> & {
  steps: readonly S[];
  /** By the indexes of two steps. */
  exclusions?: readonly { events: S; from: number; to: number }[];
};
type Matches<E, S> = (event: E, step: S) => boolean;

export function matches(event: ReferenceEvent, step: ReferenceStep): boolean {
  if (event.name !== step.event) return false;
  if (!step.where) return true;
  if (!Object.hasOwn(event.props, step.where.prop)) return false;
  const value = event.props[step.where.prop];
  if (value === null || value === undefined) return false;
  return String(value) === step.where.equals;
}

/** True order: time, then place in the batch, then arrival. */
function inOrder(a: Placed, b: Placed): number {
  return a.at - b.at || a.batchIndex - b.batchIndex || a.arrival - b.arrival;
}

/** Every path that begins with `path` and cannot be led on further. */
function* completions<E extends Placed, S>(
  path: E[],
  events: readonly E[],
  rules: Rules<S>,
  isStep: Matches<E, S>,
): Generator<E[]> {
  yield path;
  const step = rules.steps[path.length];
  const first = path[0];
  const last = path.at(-1);
  if (step === undefined || !first || !last) return;
  for (const event of events) {
    if (path.includes(event) || !isStep(event, step)) continue;
    if (event.at < last.at || event.at > first.at + rules.windowUs) continue;
    const longer = [...path, event];
    if (isAllowed(longer, events, rules, isStep)) {
      yield* completions(longer, events, rules, isStep);
    }
  }
}

/** Nothing that is excluded from a step on lies between it and the next one of the path. */
function isAllowed<E extends Placed, S>(
  path: readonly E[],
  events: readonly E[],
  { exclusions = [] }: Rules<S>,
  isStep: Matches<E, S>,
): boolean {
  return exclusions.every(({ events: excluded, from, to }) =>
    path.every((event, step) => {
      const next = path[step + 1];
      if (!next || step < from || step >= to) return true;
      return !events.some((x) => x.at > event.at && x.at < next.at && isStep(x, excluded));
    }),
  );
}

function compareTimes(a: number[], b: number[]): number {
  for (let i = 0; i < a.length; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The counted path of one person, or null when they never entered. */
export const countedPath = (
  unordered: readonly ReferenceEvent[],
  rules: ReferenceRules,
): ReferencePath | null => countedPathBy(unordered, rules, matches);

/** The same for events and steps of whatever kind. */
export function countedPathBy<E extends Placed, S>(
  unordered: readonly E[],
  rules: Rules<S>,
  isStep: Matches<E, S>,
): ReferencePath<E> | null {
  const events = [...unordered].sort(inOrder);
  const [firstStep] = rules.steps;
  if (firstStep === undefined) return null;
  const isStart = (event: E) =>
    isStep(event, firstStep) && event.at >= rules.fromUs && event.at < rules.untilUs;
  const firstAt = events.find(isStart)?.at;
  let best: ReferencePath<E> | null = null;
  for (const start of events) {
    if (!isStart(start) || (rules.firstStartOnly && start.at !== firstAt)) continue;
    for (const path of completions([start], events, rules, isStep)) {
      const times = path.map((event) => event.at);
      const deeper = !best || path.length > best.times.length;
      const asDeep = best !== null && path.length === best.times.length;
      const laterStart = asDeep && best?.events[0] !== start;
      const sooner = asDeep && best?.events[0] === start && compareTimes(times, best.times) < 0;
      // Starts are tried oldest first, so another start that reaches as far is a more recent one;
      // whoever never reached step 2 entered with the first.
      const isLater = laterStart && path.length > 1;
      if (deeper || isLater || sooner) best = { events: path, times };
    }
  }
  return best;
}

/** How many steps these events can serve together, by the condition of Hall: over all sets of steps. */
function servedTogether<E, S>(events: readonly E[], steps: readonly S[], isStep: Matches<E, S>) {
  let least = steps.length;
  for (let set = 1; set < 2 ** steps.length; set += 1) {
    const chosen = steps.filter((_, step) => (set & (1 << step)) !== 0);
    const serving = events.filter((event) => chosen.some((step) => isStep(event, step)));
    least = Math.min(least, steps.length - chosen.length + serving.length);
  }
  return least;
}

/** Steps in whatever order: when one more of them was served by events since the start. */
export function countedInAnyOrder<E extends Placed, S>(
  unordered: readonly E[],
  { steps, fromUs, untilUs, windowUs, firstStartOnly = false }: Rules<S>,
  isStep: Matches<E, S>,
): ReferencePath<E> | null {
  const events = [...unordered].sort(inOrder).filter((one) => steps.some((of) => isStep(one, of)));
  const starts = events.filter(({ at }) => at >= fromUs && at < untilUs);
  let best: ReferencePath<E> | null = null;
  for (const start of starts) {
    if (firstStartOnly && start.at !== starts[0]!.at) continue;
    const times: number[] = [];
    const since = events.filter(({ at }) => at >= start.at && at <= start.at + windowUs);
    for (const last of since) {
      const reached = servedTogether(
        since.filter(({ at }) => at <= last.at),
        steps,
        isStep,
      );
      while (times.length < reached) times.push(last.at);
    }
    const isDeeper = !best || times.length > best.times.length;
    if (isDeeper || (times.length === best?.times.length && times.length > 1)) {
      best = { events: [start], times };
    }
  }
  return best;
}
