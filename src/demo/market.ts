import { LRUCache } from 'lru-cache';
import { addDays, daysBetween } from '../shared/pacific.ts';
import { type Random, seeded } from '../shared/random.ts';

/** One story, so that a funnel's drop shows in sales. */
export const STORY = {
  /** First sales. */
  launchedDaysAgo: 120,
  badRelease: { fromDaysAgo: 16, toDaysAgo: 10, version: '2.4.0', keeps: 0.25 },
  repairedVersion: '2.4.1',
  priceTest: { fromDaysAgo: 20, toDaysAgo: 4, lowerPrice: 29.99, sells: 1.5 },
  weekends: 0.7,
} as const;

export type SimulatedApp = {
  storeAppId: string;
  bundleId: string;
  name: string;
  sku: string;
  version: string;
  downloads: number;
};

export const SIMULATED_APPS: readonly [SimulatedApp, SimulatedApp] = [
  {
    storeAppId: '9900000001',
    bundleId: 'com.example.focustimer',
    name: 'Focus Timer',
    sku: 'FOCUSTIMER',
    version: STORY.repairedVersion,
    downloads: 110,
  },
  {
    storeAppId: '9900000002',
    bundleId: 'com.example.plantdiary',
    name: 'Plant Diary',
    sku: 'PLANTDIARY',
    version: '1.2.0',
    downloads: 24,
  },
];

export const PRODUCTS = {
  yearly: { sku: 'pro_yearly', name: 'Pro, a year', period: '1 Year', price: 39.99 },
  monthly: { sku: 'pro_monthly', name: 'Pro, a month', period: '1 Month', price: 5.99 },
} as const;
export const PUBLISHERS_SHARE = 0.85;

export const CURRENCY = 'USD';
const STOREFRONTS = [
  ['US', 55],
  ['DE', 16],
  ['GB', 13],
  ['FR', 9],
  ['CA', 7],
] as const;

export type ReportLine = {
  app: SimulatedApp;
  product: keyof typeof PRODUCTS | null;
  productType: string;
  units: number;
  price: number;
  country: string;
  isRenewal: boolean;
};

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());

type Period = { fromDaysAgo: number; toDaysAgo: number };

export const within = ({ fromDaysAgo, toDaysAgo }: Period, daysAgo: number): boolean =>
  daysAgo <= fromDaysAgo && daysAgo >= toDaysAgo;

function near(random: Random, mean: number): number {
  return Math.floor(mean * (0.85 + 0.3 * random.next()) + random.next());
}

function drawDownloads(random: Random, app: SimulatedApp, day: string, daysAgo: number): number {
  const growth = Math.min(1.2, 0.35 + (0.65 * (STORY.launchedDaysAgo - daysAgo)) / 90);
  return near(random, app.downloads * growth * (isWeekend(day) ? STORY.weekends : 1));
}

type Sale = Pick<ReportLine, 'product' | 'productType' | 'units' | 'price' | 'isRenewal'>;

function drawSales(random: Random, downloads: number, daysAgo: number): Sale[] {
  const kept = within(STORY.badRelease, daysAgo) ? STORY.badRelease.keeps : 1;
  const isTested = within(STORY.priceTest, daysAgo);
  const yearly = near(random, downloads * 0.035 * kept);
  const cheaper = isTested ? Math.round(yearly * 0.6) : 0;
  const monthly = near(random, downloads * 0.03 * kept);
  const subscribersAge = Math.max(0, STORY.launchedDaysAgo - 30 - daysAgo);
  const renewals = near(random, downloads * 0.03 * Math.min(3, subscribersAge / 30));
  const refunds = random.chance(0.3) ? 1 : 0;
  const sale = (
    product: keyof typeof PRODUCTS,
    units: number,
    isRenewal = false,
    price: number = PRODUCTS[product].price,
  ): Sale => ({ product, productType: 'IAY', units, price, isRenewal });
  return [
    { product: null, productType: '1F', units: downloads, price: 0, isRenewal: false },
    {
      product: null,
      productType: '7F',
      units: near(random, downloads / 3),
      price: 0,
      isRenewal: false,
    },
    sale('yearly', yearly - cheaper),
    sale('yearly', cheaper, false, STORY.priceTest.lowerPrice),
    sale('monthly', monthly),
    sale('monthly', renewals, true),
    sale('yearly', -refunds),
  ];
}

function byCountry(random: Random, app: SimulatedApp, sale: Sale): ReportLine[] {
  const lines = new Map<string, ReportLine>();
  for (let left = Math.abs(sale.units); left > 0; left -= 1) {
    const country = random.pick(STOREFRONTS);
    const line = lines.get(country) ?? { ...sale, app, units: 0, country };
    lines.set(country, { ...line, units: line.units + Math.sign(sale.units) });
  }
  return [...lines.values()];
}

export type Simulation = {
  seed: number;
  madeOn: string;
};

/** A subscriber snapshot needs all earlier days. */
const linesByDay = new LRUCache<string, ReportLine[]>({ max: 300 });

export function linesOn(simulation: Simulation, day: string): ReportLine[] {
  const key = `${simulation.seed} ${simulation.madeOn} ${day}`;
  const known = linesByDay.get(key);
  if (known) return known;
  const lines = drawLines(simulation, day);
  linesByDay.set(key, lines);
  return lines;
}

function drawLines({ seed, madeOn }: Simulation, day: string): ReportLine[] {
  const daysAgo = daysBetween(day, madeOn);
  if (daysAgo > STORY.launchedDaysAgo) return [];
  return SIMULATED_APPS.flatMap((app, index) => {
    const random = seeded(Number(Bun.hash.wyhash(`${seed} ${index} ${day}`) % 2n ** 32n));
    const downloads = drawDownloads(random, app, day, daysAgo);
    return drawSales(random, downloads, daysAgo).flatMap((sale) => byCountry(random, app, sale));
  });
}

export function trialsOn(simulation: Simulation, day: string): [SimulatedApp, number][] {
  const lines = linesOn(simulation, addDays(day, 7));
  return SIMULATED_APPS.map((app) => {
    const converted = lines.filter(
      (line) => line.app === app && line.product === 'yearly' && line.units > 0,
    );
    // Six of ten trials convert a week later.
    return [app, Math.round(converted.reduce((sum, { units }) => sum + units, 0) / 0.6)];
  });
}

export type SubscribedLine = {
  app: SimulatedApp;
  product: keyof typeof PRODUCTS;
  price: number;
  country: string;
  paid: number;
  trials: number;
};

const TRIAL_DAYS = 7;
const PAID_DAYS = { yearly: 365, monthly: 30 } as const;

/** At day's end; includes running trials. */
export function subscribedOn(simulation: Simulation, day: string): SubscribedLine[] {
  const lines = new Map<string, SubscribedLine>();
  const add = (line: Omit<SubscribedLine, 'paid' | 'trials'>, paid: number, trials: number) => {
    const key = `${line.app.sku} ${line.product} ${line.country} ${line.price}`;
    const known = lines.get(key) ?? { ...line, paid: 0, trials: 0 };
    lines.set(key, { ...known, paid: known.paid + paid, trials: known.trials + trials });
  };
  const launched = addDays(simulation.madeOn, -STORY.launchedDaysAgo);
  for (let age = 0; addDays(day, -age) >= launched; age += 1) {
    const soldDay = addDays(day, -age);
    for (const { app, product, price, country, units } of linesOn(simulation, soldDay)) {
      if (product === null || age >= PAID_DAYS[product]) continue;
      add({ app, product, price, country }, units, 0);
    }
    if (age >= TRIAL_DAYS) continue;
    for (const [app, trials] of trialsOn(simulation, soldDay)) {
      const { price } = PRODUCTS.yearly;
      add({ app, product: 'yearly', price, country: 'US' }, 0, trials);
    }
  }
  return [...lines.values()].filter(({ paid, trials }) => paid + trials > 0);
}
