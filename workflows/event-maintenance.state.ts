import type { EventFileJob } from '../src/temporal/contracts/events.ts';

/** Lanes under way at a time; workers take as many of their jobs as they have engines for. */
export const LANES_AT_ONCE = 8;

const marksOf = ({ appId, fileIds }: EventFileJob) =>
  appId === undefined ? fileIds : [...fileIds, appId];

/**
 * The jobs in lanes that may run side by side: those of one app, and those that name the same file,
 * stand in one lane in the order of the plan. So an app with many jobs takes one place, and no job
 * throws another's work away.
 */
export function lanesOf(jobs: readonly EventFileJob[]): EventFileJob[][] {
  let lanes: { marks: Set<string>; places: number[] }[] = [];
  for (const [place, job] of jobs.entries()) {
    const marks = marksOf(job);
    const joined = lanes.filter((lane) => marks.some((mark) => lane.marks.has(mark)));
    lanes = lanes.filter((lane) => !joined.includes(lane));
    lanes.push({
      marks: new Set([...joined.flatMap((lane) => [...lane.marks]), ...marks]),
      places: [...joined.flatMap((lane) => lane.places), place],
    });
  }
  return lanes
    .sort((a, b) => Math.min(...a.places) - Math.min(...b.places))
    .map(({ places }) => jobs.filter((_, place) => places.includes(place)));
}
