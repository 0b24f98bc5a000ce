/** What one person did, by plain loops: no code of the service is in it. */
export type Visit = { person: string; at: number };

export type LifecycleCounts = {
  new: string[];
  returning: string[];
  resurrected: string[];
  dormant: string[];
};

/** Who is what in each interval from the second on; the first only says who was there before. */
export function lifecycleOf(
  visits: readonly Visit[],
  boundaries: readonly number[],
): LifecycleCounts[] {
  const people = new Map<string, number[]>();
  for (const { person, at } of visits) people.set(person, [...(people.get(person) ?? []), at]);
  const found: LifecycleCounts[] = [];
  for (let index = 1; index < boundaries.length - 1; index += 1) {
    const [earlier, start, end] = boundaries.slice(index - 1, index + 2) as [
      number,
      number,
      number,
    ];
    const counts: LifecycleCounts = { new: [], returning: [], resurrected: [], dormant: [] };
    for (const [person, times] of people) {
      const isHere = times.some((at) => at >= start && at < end);
      const wasJustHere = times.some((at) => at >= earlier && at < start);
      const wasEverHere = times.some((at) => at < start);
      if (isHere && wasJustHere) counts.returning.push(person);
      else if (isHere && wasEverHere) counts.resurrected.push(person);
      else if (isHere) counts.new.push(person);
      else if (wasJustHere) counts.dormant.push(person);
    }
    found.push(counts);
  }
  return found;
}
