/** As the service writes it: in UTC. */
const WRITTEN_DAY = /\d{4}-\d{2}-\d{2}/g;

/** However deep. */
export function instantsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\d{4}-\d{2}-\d{2}T/.test(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(instantsIn);
}

export function sentenceWith(
  sentence: string,
  instants: readonly string[],
  show: { instant: (iso: string) => string; day: (day: string) => string },
): string {
  return sentence.replaceAll(WRITTEN_DAY, (day) => {
    const instant = instants.find((one) => one.startsWith(day));
    return instant === undefined ? show.day(day) : show.instant(instant);
  });
}

/** As if it were UTC. */
function wallMs(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(ms);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '00';
  const day = `${of('year')}-${of('month')}-${of('day')}`;
  return Date.parse(`${day}T${of('hour')}:${of('minute')}:${of('second')}Z`);
}

/** The last second of a calendar day in a zone. */
export function endOfDayIn(day: string, timeZone: string): string {
  const wanted = Date.parse(`${day}T23:59:59Z`);
  // For a day on which clocks change.
  const guess = wanted - (wallMs(wanted, timeZone) - wanted);
  const end = guess + (wanted - wallMs(guess, timeZone));
  return new Date(end).toISOString();
}
