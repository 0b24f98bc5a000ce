import { addDays, type Days } from './days.ts';
import { VERSION } from './filter-rules.ts';

export type VersionDays = Days & { version: string; isLast: boolean };

const SHOWN = 3;
type VersionMark = { kind: string; day: string; [VERSION]?: string };

export function versionDays(marks: readonly VersionMark[], today: string): VersionDays[] {
  const first = new Map<string, string>();
  for (const { kind, day, [VERSION]: version } of marks.toSorted((one, other) =>
    one.day.localeCompare(other.day),
  )) {
    // Of two versions of one day the later takes it.
    if (kind === 'version' && version) first.set(day, version);
  }
  const seen = [...first];
  return seen
    .map(([from, version], at) => {
      const next = seen[at + 1]?.[0];
      return { version, from, to: addDays(next ?? today, -1), isLast: next === undefined };
    })
    .filter(({ from, to }) => from <= to)
    .slice(-SHOWN);
}
