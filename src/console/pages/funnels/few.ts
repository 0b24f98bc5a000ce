const CERTAINTY = 1.96;

/** Half the width of a 95 % interval around one half, in points, for so many people. */
export const pointsByChance = (people: number): number =>
  Math.round((100 * CERTAINTY * 0.5) / Math.sqrt(Math.max(people, 1)));

/** The day on which `minimum` people will have entered at this pace; null without a pace. */
export function dayOfEnough(
  people: number,
  { minimum, days, now }: { minimum: number; days: number; now: Date },
): Date | null {
  if (people === 0 || people >= minimum) return null;
  const missingDays = Math.ceil((minimum - people) / (people / days));
  return new Date(now.getTime() + missingDays * 86_400_000);
}
