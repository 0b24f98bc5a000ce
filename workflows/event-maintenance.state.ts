import type { EventFileJob } from '../src/temporal/contracts/events.ts';

/** Lanes under way; workers bound their jobs by their engines. */
export const LANES_AT_ONCE = 8;

const fileMarks = ({ appId, fileIds }: EventFileJob) =>
  appId === undefined ? fileIds : [...fileIds, appId];

/**
 * Lanes for parallel work: jobs of one app or file share a lane in planned order. An app with many
 * jobs takes one slot, and no job invalidates another's work.
 */
export function toLanes(jobs: readonly EventFileJob[]): EventFileJob[][] {
  let lanes: { marks: Set<string>; places: number[] }[] = [];
  for (const [place, job] of jobs.entries()) {
    const marks = fileMarks(job);
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
