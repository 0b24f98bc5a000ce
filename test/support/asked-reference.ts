import type { EventRow } from '../../src/event-store/event/columns.ts';
import type { FunnelQuestion } from '../../src/query/funnel/model.ts';
import type { RetentionQuestion } from '../../src/query/retention/model.ts';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import type { Selected } from '../../src/query/selection/selected.ts';
import { isMeant } from './conditions-reference.ts';
import { countedPathBy } from './funnel-reference.ts';
import type { PlainEvent } from './stitched-events.ts';

/** Questions answered by plain loops over events, in the words of their definitions; shares no code. */
export const isSelected = (row: EventRow, { events, where }: Selected): boolean =>
  (events === undefined ? !row.name.startsWith('$') : events.includes(row.name)) &&
  isMeant(row, where);

export function bucketOf(boundariesUs: readonly number[], timeUs: number): number {
  for (let place = 0; place + 1 < boundariesUs.length; place += 1) {
    if (timeUs >= boundariesUs[place]! && timeUs < boundariesUs[place + 1]!) return place;
  }
  return -1;
}

const peopleIn = (events: readonly PlainEvent[]) =>
  new Set(events.map(({ person }) => person)).size;

export function plainSeries(
  { boundariesUs, ranges }: Pick<SeriesQuestion, 'boundariesUs' | 'ranges'>,
  selections: readonly Selected[],
  events: readonly PlainEvent[],
) {
  const countsOf = (list: readonly PlainEvent[]) => {
    const placed = list.map((event) => ({
      event,
      at: bucketOf(boundariesUs, event.row.occurredAtUs),
    }));
    return {
      events: boundariesUs
        .slice(1)
        .map((_, bucket) => placed.filter(({ at }) => at === bucket).length),
      people: ranges.map(([from, before]) =>
        peopleIn(placed.filter(({ at }) => at >= from && at < before).map(({ event }) => event)),
      ),
    };
  };
  return {
    total: countsOf(events.filter(({ row }) => selections.some((one) => isSelected(row, one)))),
    series: selections.map((one) => countsOf(events.filter(({ row }) => isSelected(row, one)))),
  };
}

/** How many reached each step. */
export function plainFunnel(
  question: Omit<FunnelQuestion, 'steps' | 'filters'> & { steps: readonly Selected[] },
  events: readonly PlainEvent[],
): number[] {
  const { fromUs, startBeforeUs, windowUs, steps, where } = question;
  const placed = events.map(({ person, row }) => ({
    person,
    row,
    ...{ at: row.occurredAtUs, arrival: row.arrival, batchIndex: row.batchIndex },
  }));
  const rules = { steps, fromUs, untilUs: startBeforeUs, windowUs };
  const depths = [...Map.groupBy(placed, ({ person }) => person).values()].map((own) => {
    const path = countedPathBy(own, rules, ({ row }, step) => isSelected(row, step));
    const [start] = path?.events ?? [];
    return start && isMeant(start.row, where) ? (path?.times.length ?? 0) : 0;
  });
  return steps.map((_, index) => depths.filter((depth) => depth > index).length);
}

/** Person by person and event by event. */
export function plainRetention(
  question: RetentionQuestion,
  { start, comingBack }: { start: Selected; comingBack: Selected },
  events: readonly PlainEvent[],
  isStart: (row: EventRow) => boolean = () => true,
) {
  const { boundariesUs, cohorts, cohort, criterion, periodUs, periods } = question;
  const axisEnd = boundariesUs.at(-1) ?? 0;
  const counted = Array.from({ length: cohorts }, () => ({
    size: 0,
    returned: Array.from({ length: periods }, () => 0),
  }));
  let people = 0;
  const known = events.filter(({ row }) => row.occurredAtUs < axisEnd);
  for (const own of Map.groupBy(known, ({ person }) => person).values()) {
    const timesOf = (isMeant: (row: EventRow) => boolean) =>
      own
        .filter(({ row }) => isMeant(row))
        .map(({ row }) => row.occurredAtUs)
        .toSorted((a, b) => a - b);
    const starts = timesOf((row) => isSelected(row, start) && isStart(row));
    const returns = timesOf((row) => isSelected(row, comingBack));
    let isCounted = false;
    for (const [number, figures] of counted.entries()) {
      const began = (cohort === 'first' ? starts.slice(0, 1) : starts).find(
        (time) => bucketOf(boundariesUs, time) === number,
      );
      if (began === undefined) continue;
      isCounted = true;
      figures.size += 1;
      for (let period = 1; period <= periods; period += 1) {
        const came = returns.some((time) => {
          if (time < (boundariesUs[0] ?? 0)) return false;
          const distance =
            periodUs === null
              ? bucketOf(boundariesUs, time) - number
              : Math.floor((time - began) / periodUs);
          return criterion === 'on' ? distance === period : distance >= period;
        });
        if (came) figures.returned[period - 1]! += 1;
      }
    }
    if (isCounted) people += 1;
  }
  return { people, cohorts: counted };
}
