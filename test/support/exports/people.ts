import { gzipSync } from 'node:zlib';

// People of an app as another product recorded them, and the figures that an import of its export
// has to give. Written from the documentation of each product and the sources of its clients.

export type Platform = 'android' | 'ios' | 'macos' | 'other' | 'web';

export type Person = {
  index: number;
  anonymous: string;
  /** The id that the app gave this person, from the paywall on. */
  user: string | null;
  platform: Platform;
  version: string | null;
  /** How many of the five steps of a new app's funnel this person took. */
  steps: number;
  startsAt: number;
};

export const STEPS = [
  'app_opened',
  'onboarding_started',
  'onboarding_completed',
  'paywall_viewed',
  'purchase_completed',
] as const;
/** The places of the steps that the funnel of a new app asks for. */
const FUNNEL_STEPS = [0, 2, 3, 4];
export const SCREEN = 'home';

const DAY_MS = 86_400_000;
/** Eight in the morning, forty days ago. */
const START = Math.floor(Date.now() / DAY_MS - 40) * DAY_MS + DAY_MS / 3;

export function peopleOf(
  file: string,
  count: number,
  of: (index: number) => { platform: Platform; version: string | null },
): Person[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    anonymous: uuid(`${file}/${index}`),
    user: index % 3 === 0 ? `${file}-user-${index}` : null,
    // Of twelve people one each stops at the first three steps, three at the fourth.
    steps: [1, 2, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5][index % 12] ?? 5,
    startsAt: START + index * 61_000,
    ...of(index),
  }));
}

/** The moment of a step, or of the screen that everyone sees after it. */
export function momentOf(person: Person, step: number, screen = false): Date {
  return new Date(person.startsAt + step * 20_000 + (screen ? 5_000 : 0));
}

/** Who the app says this is at a step: known from the paywall on. */
export function isKnownAt(person: Person, step: number): boolean {
  return person.user !== null && step >= STEPS.indexOf('paywall_viewed');
}

export type Truth = {
  people: number;
  platforms: Record<string, number>;
  versions: Record<string, number>;
  /** People at each step of a new app's funnel. */
  funnel: number[];
  /** Times that somebody saw the screen. */
  screens: number;
};

export function truthOf(people: readonly Person[], screens = people.length): Truth {
  const count = (key: (person: Person) => string | null) => {
    const counts: Record<string, number> = {};
    for (const person of people) {
      const found = key(person);
      if (found !== null) counts[found] = (counts[found] ?? 0) + 1;
    }
    return counts;
  };
  return {
    people: people.length,
    platforms: count(({ platform }) => platform),
    versions: count(({ version }) => version),
    funnel: FUNNEL_STEPS.map((step) => people.filter(({ steps }) => steps > step).length),
    screens,
  };
}

export type Export = {
  name: string;
  content: Uint8Array;
  truth: Truth;
  /** Names of the app's own that a person would give as --rename. */
  rename?: Record<string, string>;
};

export function linesOf(rows: readonly unknown[]): Uint8Array {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

export function packed(content: Uint8Array): Uint8Array {
  return gzipSync(content);
}

/** The same id at every run, in the form of a UUID. */
export function uuid(text: string): string {
  const hex = new Bun.CryptoHasher('md5').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
