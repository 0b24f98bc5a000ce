import { between, pick, seeded } from './random.ts';
import type { ReportValues } from './report.ts';

export type SimulatedProduct = {
  id: string;
  sku: string;
  name: string;
  type: string;
  price: number;
  period: string;
  /** `APPROVED` when left out. */
  state?: string;
  family?: boolean;
};

export type SimulatedVersion = {
  platform: string;
  versionString: string;
  appStoreState?: string;
  appVersionState?: string;
  createdDate: string;
};

export type SimulatedApp = {
  id: string;
  name: string;
  bundleId: string;
  sku: string;
  price: number;
  /** How many rows of it a usual day has. */
  weight: number;
  products: SimulatedProduct[];
  versions: SimulatedVersion[];
  icon: string | null;
  /** Deleted from the account: gone from the list of apps, still in reports. */
  deleted: boolean;
};

/** Storefront, its currency, units of it for one dollar, and its decimals. */
const MARKETS = [
  ['US', 'USD', 1, 2],
  ['GB', 'GBP', 0.79, 2],
  ['DE', 'EUR', 0.9, 2],
  ['FR', 'EUR', 0.9, 2],
  ['JP', 'JPY', 150, 0],
  ['AU', 'AUD', 1.5, 2],
  ['CA', 'CAD', 1.4, 2],
  ['BR', 'BRL', 5.4, 2],
  ['IN', 'INR', 85, 2],
  ['KR', 'KRW', 1400, 0],
  ['MX', 'MXN', 18, 2],
  ['CH', 'CHF', 0.85, 2],
  ['SE', 'SEK', 10, 2],
  // Currencies that the ECB does not quote.
  ['CL', 'CLP', 950, 0],
  ['AE', 'AED', 3.67, 2],
  ['SA', 'SAR', 3.75, 2],
  ['TW', 'TWD', 32, 2],
  ['VN', 'VND', 25000, 0],
] as const;
const DEVICES = ['iPhone', 'iPhone', 'iPhone', 'iPad', 'iPod touch', 'Desktop', 'Apple Vision'];
const NAMES = [
  'Focus Timer',
  'Plant Diary',
  'Tide Tables',
  'Chess Coach',
  'Bread Log',
  'Night Sky',
];
const icon = (name: string) =>
  `https://is1-ssl.mzstatic.com/image/thumb/Purple/v4/${name}/AppIcon.png/{w}x{h}bb.{f}`;

/** A believable account: apps of several ages and states, their products, and daily rows. */
export function simulatedApps(seed: number, count = 5): SimulatedApp[] {
  const random = seeded(seed, 'apps');
  return Array.from({ length: count }, (_, index): SimulatedApp => {
    const name = `${NAMES[index % NAMES.length]}${index < NAMES.length ? '' : ` ${index}`}`;
    const slug = name.toLowerCase().replaceAll(' ', '');
    const id = String(6_754_000_000 + seed * 1000 + index * 7);
    const product = (at: number, type: string, label: string, period = ''): SimulatedProduct => ({
      id: String(Number(id) + 500_000 + at),
      sku: `com.example.${slug}.${label.toLowerCase().replaceAll(' ', '_')}`,
      name: `${name} ${label}`,
      type,
      price: pick(random, [0.99, 1.99, 4.99, 9.99, 49.99]),
      period,
    });
    const live = {
      platform: 'IOS',
      versionString: '1.4',
      createdDate: '2026-02-01T10:00:00-08:00',
    };
    return {
      id,
      name,
      bundleId: `com.example.${slug}`,
      sku: `SKU-${slug.toUpperCase()}`,
      price: index % 2 === 0 ? 0 : 2.99,
      weight: between(random, 4, 12),
      products: [
        product(1, 'IA1', 'Coins'),
        product(2, 'IAY', 'Pro monthly', '1 Month'),
        product(3, 'IAY', 'Pro yearly', '1 Year'),
        product(4, 'IA9', 'Season pass'),
      ],
      versions: [
        { ...live, appStoreState: 'READY_FOR_SALE', appVersionState: 'READY_FOR_DISTRIBUTION' },
      ],
      icon: index % 3 === 2 ? null : icon(slug),
      deleted: false,
    };
  });
}

type Line = { app: SimulatedApp; product: SimulatedProduct | null; type: string };

function line(random: () => number, app: SimulatedApp): Line {
  const dice = random();
  if (dice < 0.35)
    return { app, product: null, type: pick(random, ['1F', '1', '1T', 'F1', '1-B']) };
  if (dice < 0.5) return { app, product: null, type: pick(random, ['3F', '3']) };
  if (dice < 0.65) return { app, product: null, type: pick(random, ['7F', '7', 'F7']) };
  if (dice < 0.97) {
    const product = pick(random, app.products);
    return { app, product, type: product.type };
  }
  // Restores, and identifiers that nobody has documented.
  const product = pick(random, app.products);
  return { app, product, type: pick(random, ['IA3', 'IA7-X', 'QX2']) };
}

function salesRow(random: () => number, { app, product, type }: Line, day: string): ReportValues {
  const [country, currency, perDollar, decimals] = pick(random, MARKETS);
  const paid = product !== null || type.startsWith('1') || type === 'F1';
  const price = paid ? (product?.price ?? app.price) * perDollar : 0;
  const refund = price > 0 && random() < 0.05;
  const credit = !refund && type === '1-B' && random() < 0.3;
  const units = (refund || credit ? -1 : 1) * between(random, 1, price > 0 ? 9 : 60);
  const [year, month, date] = day.split('-');
  const american = `${month}/${date}/${year}`;
  const customerPrice = `${units < 0 && price > 0 ? '-' : ''}${price.toFixed(decimals)}`;
  // Where it is sold in a currency without a price tier of its own, the store pays in dollars.
  const paidOut = country === 'VN' ? 'USD' : currency;
  const proceeds = country === 'VN' ? (price / perDollar) * 0.7 : price * 0.7;
  return {
    Provider: 'APPLE',
    'Provider Country': 'US',
    SKU: product?.sku ?? app.sku,
    Developer: 'Example Studio',
    Title: product?.name ?? app.name,
    Version: product ? '' : '1.4',
    'Product Type Identifier': type,
    Units: `${units}.00`,
    'Developer Proceeds': proceeds.toFixed(country === 'VN' ? 2 : decimals),
    'Begin Date': american,
    'End Date': american,
    'Customer Currency': currency,
    'Country Code': country,
    'Currency of Proceeds': paidOut,
    'Apple Identifier': product?.id ?? app.id,
    'Customer Price': customerPrice,
    'Parent Identifier': product ? app.sku : '',
    Subscription: product?.type === 'IAY' ? pick(random, ['New', 'Renewal']) : '',
    Period: product?.period ?? '',
    Category: 'Utilities',
    CMB: credit ? 'CMB-C' : '',
    Device: pick(random, DEVICES),
    'Supported Platforms': 'iOS',
    'Proceeds Reason': product?.type === 'IAY' && random() < 0.2 ? 'Rate After One Year' : '',
  };
}

/** The sales rows of one day; `revision` is how often the store has corrected it since. */
export function salesRows(
  seed: number,
  apps: readonly SimulatedApp[],
  day: string,
  revision = 0,
): ReportValues[] {
  return apps.flatMap((app) => {
    const random = seeded(seed, 'sales', app.id, day);
    const rows = Array.from({ length: between(random, app.weight, app.weight * 2) }, () =>
      salesRow(random, line(random, app), day),
    );
    // A correction takes back some rows and adds others, as late refunds and reversals do.
    if (revision === 0) return rows;
    const later = seeded(seed, 'correction', app.id, day, revision);
    return [...rows.slice(revision), salesRow(later, line(later, app), day)];
  });
}

/** Starts of trials and what else the subscription-event report holds. */
export function eventRows(
  seed: number,
  apps: readonly SimulatedApp[],
  day: string,
): ReportValues[] {
  return apps.flatMap((app) => {
    const random = seeded(seed, 'events', app.id, day);
    return Array.from({ length: between(random, 1, 4) }, (): ReportValues => {
      const product = pick(random, app.products);
      const trial = random() < 0.6;
      return {
        'Event Date': day,
        Event: trial ? 'Start Introductory Offer' : pick(random, ['Renew', 'Cancel', 'Subscribe']),
        'App Name': app.name,
        'App Apple ID': app.id,
        'Subscription Name': product.name,
        'Subscription Apple ID': product.id,
        'Subscription Offer Type': trial ? 'Free Trial' : '',
        Device: pick(random, DEVICES),
        Country: pick(random, MARKETS)[0],
        Quantity: String(between(random, 1, 5)),
      };
    });
  });
}

const OFFER_COLUMNS = [
  'Active Free Trial Introductory Offer Subscriptions',
  'Active Pay Up Front Introductory Offer Subscriptions',
  'Active Pay as You Go Introductory Offer Subscriptions',
  'Free Trial Promotional Offer Subscriptions',
  'Pay Up Front Promotional Offer Subscriptions',
  'Pay As You Go Promotional Offer Subscriptions',
  'Free Trial Offer Code Subscriptions',
  'Pay Up Front Offer Code Subscriptions',
  'Pay As You Go Offer Code Subscriptions',
  'Free Trial Win-back Offers',
  'Pay Up Front Win-Back Offers',
  'Pay As You Go Win-back Offers',
];

/** The snapshot of subscriptions at the end of a day: they grow slowly, and some fail to renew. */
export function subscriptionRows(
  seed: number,
  apps: readonly SimulatedApp[],
  day: string,
): ReportValues[] {
  const age = Math.floor(Date.parse(day) / 86_400_000) % 400;
  return apps.flatMap((app) => {
    const random = seeded(seed, 'subscriptions', app.id, day);
    const products = app.products.filter(({ type }) => type === 'IAY');
    return Array.from({ length: between(random, 4, 9) }, (): ReportValues => {
      const product = pick(random, products);
      const [country, currency, perDollar, decimals] = pick(random, MARKETS);
      const offer = random() < 0.5 ? pick(random, OFFER_COLUMNS) : null;
      const price = product.price * perDollar;
      const standard = between(random, 0, 20) + Math.floor(age / 10);
      return {
        'App Name': app.name,
        'App Apple ID': app.id,
        'Subscription Name': product.name,
        'Subscription Apple ID': product.id,
        'Subscription Group ID': `${app.id}1`,
        'Standard Subscription Duration': product.period,
        'Subscription Offer Name': offer?.includes('Promotional') ? 'spring' : '',
        'Promotional Offer ID': offer?.includes('Promotional') ? 'spring-26' : '',
        'Customer Price': price.toFixed(decimals),
        'Customer Currency': currency,
        'Developer Proceeds': (price * 0.7).toFixed(decimals),
        'Proceeds Currency': currency,
        'Preserved Pricing': random() < 0.2 ? 'Yes' : '',
        Device: pick(random, DEVICES),
        State: country === 'US' ? pick(random, ['CA', 'NY', '']) : '',
        Country: country,
        'Active Standard Price Subscriptions': String(standard),
        ...Object.fromEntries(OFFER_COLUMNS.map((name) => [name, '0'])),
        ...(offer ? { [offer]: String(between(random, 1, 9)) } : {}),
        'Marketing Opt-Ins': random() < 0.1 ? '1' : '',
        'Billing Retry': String(between(random, 0, 3)),
        'Grace Period': String(between(random, 0, 2)),
        Subscribers: standard > 3 ? String(standard) : '',
      };
    });
  });
}
