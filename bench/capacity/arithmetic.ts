/** Processor time of each part, as measured on one host. */
export type Parts = {
  /** Microseconds an event. */
  apiUs: number;
  compactorUs: number;
  /** Of its way through merges into the files of its app, with their projections. */
  mergesUs: number;
  /** Milliseconds a second, whatever comes. */
  idleMs: number;
  /** Seconds of processor that a funnel over ten million events takes. */
  questionSeconds: number;
};

export type Answer = {
  cores: number;
  /** With all of the host's cores for it. */
  eventsPerSecond: number;
  fullOf: 'cores' | 'the API process' | 'the compactor process';
  /** Funnels over ten million events, each second, without any event. */
  questionsPerSecond: number;
};

/** So much of a core is planned for; the rest is for peaks, and for what comes back late. */
const PLANNED = 0.7;
/** Both work in one thread of JavaScript; files are written by further ones beside it. */
const ONE_CORE_US = 1e6 * PLANNED;

/** What a host of so many cores takes: each limit by itself, and the least of them. */
export function capacityOf(cores: number, parts: Parts): Answer {
  const { apiUs, compactorUs, mergesUs, idleMs, questionSeconds } = parts;
  const plannedUs = (cores * 1e3 - idleMs) * 1e3 * PLANNED;
  const limits = [
    { fullOf: 'cores', eventsPerSecond: plannedUs / (apiUs + compactorUs + mergesUs) },
    { fullOf: 'the API process', eventsPerSecond: ONE_CORE_US / apiUs },
    { fullOf: 'the compactor process', eventsPerSecond: ONE_CORE_US / compactorUs },
  ] as const;
  const least = limits.reduce((a, b) => (b.eventsPerSecond < a.eventsPerSecond ? b : a));
  return { cores, ...least, questionsPerSecond: plannedUs / 1e6 / questionSeconds };
}
