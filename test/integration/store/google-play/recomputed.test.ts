import { expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import { importRates } from '../../../../src/modules/sales/rates/import.ts';
import {
  type Earning,
  earningsZip,
  installsCsv,
  type Installed,
  type Order,
  salesZip,
  startPlayReportsService,
} from '../../../support/play-reports.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { isFullRun } from '../../../support/random.ts';

/*
 * The figures a second time, out of the rows that Google writes, in plain loops over exact
 * decimals. Nothing below uses the code that it checks.
 */
Big.DP = 60;
const RUNS = isFullRun ? 1_000 : 25;
const HALF_EVEN = 2;
const service = await startPlayReportsService(await testDatabase(), '2027-01-20T12:00:00Z');
const { account, ask, clock, connect, readNow, reports } = service;

/** Of each day the same, so that no weekend is without. */
const PER_EURO: Readonly<Record<string, string>> = { USD: '1.1', JPY: '160', EUR: '1' };
const rateDays = Array.from({ length: 130 }, (_, back) =>
  new Date(Date.parse('2027-01-20T12:00:00Z') - back * 86_400_000).toISOString().slice(0, 10),
);
const lines = rateDays.map((day) => `${day},${PER_EURO.USD},${PER_EURO.JPY}`);
const file = Buffer.from(`Date,USD,JPY\n${lines.join('\n')}\n`);
await importRates(service.deps, { file, source: 'test' });
const toCents = (amount: Big, currency: string) =>
  Number(
    amount
      .times(PER_EURO.USD ?? 1)
      .div(PER_EURO[currency] ?? 1)
      .times(100)
      .round(0, HALF_EVEN),
  );

const MONTHS = ['2026-11', '2026-12'] as const;
const START = Date.parse('2026-11-01T00:00:00Z');
const SECONDS = 61 * 86_400;
const PACKAGES = ['com.example.focus', 'com.example.sleep'];

/** Pacific standard time lasts over all of these months, but for the first nine hours. */
const PACIFIC_HOURS = 8;
const pacific = (at: number) => new Date(at - PACIFIC_HOURS * 3_600_000);
const FIRST_STANDARD = Date.parse('2026-11-01T09:00:00Z');

const someOrder = fc
  .record({
    second: fc.integer({ min: (FIRST_STANDARD - START) / 1_000, max: SECONDS - 1 }),
    package: fc.constantFrom(...PACKAGES),
    product: fc.constantFrom(
      { type: 'subscription' as const, sku: 'pro' },
      { type: 'inapp' as const, sku: 'coins' },
      { type: 'paidapp' as const, sku: '' },
    ),
    country: fc.constantFrom('DE', 'US', 'JP', ''),
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    cents: fc.integer({ min: 0, max: 2_000_00 }),
    status: fc.constantFrom(
      'Charged',
      'Charged',
      'Charged',
      'Refund',
      'Partial refund',
      'Cancelled',
    ),
    eligible: fc.boolean(),
  })
  .map(({ second, product, cents, ...order }): Order & { eligible: boolean; status: string } => ({
    ...order,
    ...product,
    id: `GPA.${second}`,
    at: `${new Date(START + second * 1_000).toISOString().slice(0, 19)}Z`,
    price: (cents / 100).toFixed(2),
    charged: ((cents * 1.19) / 100).toFixed(2),
  }));

const someEarning = fc.record({
  second: fc.integer({ min: (FIRST_STANDARD - START) / 1_000, max: SECONDS - 1 }),
  package: fc.constantFrom(...PACKAGES),
  country: fc.constantFrom('DE', 'US'),
  type: fc.constantFrom('Charge', 'Google fee', 'Charge refund', 'Tax', 'Something new'),
  cents: fc.integer({ min: -50_00, max: 200_00 }),
});

const someInstalls = fc.record({
  day: fc
    .integer({ min: 0, max: 60 })
    .map((days) => new Date(START + days * 86_400_000).toISOString().slice(0, 10)),
  package: fc.constantFrom(...PACKAGES),
  country: fc.constantFrom('DE', 'US', 'Other'),
  installs: fc.integer({ min: 0, max: 5_000 }),
});

const MONTH_NAMES = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];
const earningOf = (one: {
  second: number;
  package: string;
  country: string;
  type: string;
  cents: number;
}): Earning => {
  const at = pacific(START + one.second * 1_000);
  const hour = at.getUTCHours();
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    id: `GPA.${one.second}`,
    date: `${MONTH_NAMES[at.getUTCMonth()]} ${at.getUTCDate()}, ${at.getUTCFullYear()}`,
    time: `${hour % 12 || 12}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} ${hour < 12 ? 'AM' : 'PM'} PST`,
    type: one.type,
    package: one.package,
    sku: 'pro',
    productType: 'subscription',
    country: one.country,
    currency: 'EUR',
    amount: (one.cents / 100).toFixed(2),
  };
};

type Told = Record<
  | 'proceedsMinor'
  | 'customerSpendMinor'
  | 'downloads'
  | 'iapUnits'
  | 'otherUnits'
  | 'refunds'
  | 'subscriptionUnits',
  number
>;
const nothing = (): Told => ({
  ...{ proceedsMinor: 0, customerSpendMinor: 0, downloads: 0 },
  ...{ iapUnits: 0, otherUnits: 0, refunds: 0, subscriptionUnits: 0 },
});
const UNITS = {
  subscription: 'subscriptionUnits',
  inapp: 'iapUnits',
  paidapp: 'otherUnits',
} as const;

/** Amounts of a currency are rounded once for each group of equal orders. */
class Groups {
  private readonly sums = new Map<string, { day: string; currency: string; amount: Big }>();
  add(day: string, currency: string, amount: Big, ...more: unknown[]) {
    const key = JSON.stringify([day, currency, ...more]);
    const known = this.sums.get(key);
    this.sums.set(key, { day, currency, amount: (known?.amount ?? new Big(0)).plus(amount) });
  }
  into(told: (day: string) => Told, name: 'customerSpendMinor' | 'proceedsMinor') {
    for (const { day, currency, amount } of this.sums.values()) {
      told(day)[name] += toCents(amount, currency);
    }
  }
}

test('random orders, earnings and installs equal plain loops, however often they are rewritten', async () => {
  const drafts = fc.record({
    orders: fc.array(someOrder, { maxLength: 40 }),
    earnings: fc.array(someEarning, { maxLength: 25 }),
    installs: fc.array(someInstalls, { maxLength: 20 }),
    earningsOf: fc.subarray([...MONTHS]),
    isTwice: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(drafts, async ({ orders, earnings, installs, earningsOf, isTwice }) => {
      const made = await account();
      const { org, bucket } = made;
      await connect(made);
      const at = new Date(clock.now);
      const write = (name: string, bytes: Uint8Array) => reports.write(bucket, name, bytes, at);
      const digits = (month: string) => month.replace('-', '');
      const monthsEarned = earnings.map((one) =>
        pacific(START + one.second * 1_000)
          .toISOString()
          .slice(0, 7),
      );
      const writeAll = (share: number) => {
        for (const month of MONTHS) {
          const all = orders.filter((order) => order.at.startsWith(month));
          const most = all.slice(0, Math.ceil(all.length * share));
          write(`sales/salesreport_${digits(month)}.zip`, salesZip(month, most));
          const counted = installs.filter(({ day }) => day.startsWith(month));
          for (const name of PACKAGES) {
            const own: Installed[] = counted.filter((one) => one.package === name);
            write(`stats/installs/installs_${name}_${digits(month)}_country.csv`, installsCsv(own));
          }
        }
        for (const month of earningsOf) {
          const all = earnings.filter((_, index) => monthsEarned[index] === month).map(earningOf);
          const half = Math.floor((all.length * share) / 2);
          write(
            `earnings/earnings_${digits(month)}_1-1.zip`,
            earningsZip(month, all.slice(0, half)),
          );
          write(`earnings/earnings_${digits(month)}_2-1.zip`, earningsZip(month, all.slice(half)));
        }
      };
      if (isTwice) {
        writeAll(0.5);
        await readNow(org);
      }
      writeAll(1);
      await readNow(org);
      // A second look changes nothing.
      expect(await readNow(org)).toBe(0);

      const told = new Map<string, Told>();
      const of = (day: string) => {
        const figures = told.get(day) ?? nothing();
        told.set(day, figures);
        return figures;
      };
      const spend = new Groups();
      const proceeds = new Groups();
      for (const order of orders) {
        if (order.status === 'Cancelled') continue;
        const day = order.at.slice(0, 10);
        const sign = order.status === 'Charged' ? 1 : -1;
        const units = order.status === 'Partial refund' ? 0 : sign;
        if (units > 0) of(day)[UNITS[order.type]] += 1;
        if (units < 0) of(day).refunds += 1;
        const kept = order.type === 'subscription' || order.eligible ? '0.85' : '0.7';
        const earnedIn = pacific(Date.parse(order.at)).toISOString().slice(0, 7);
        const { country, currency, package: name, sku, type } = order;
        const group = [country, name, sku, type, units, earnedIn];
        spend.add(day, currency, new Big(order.charged).times(sign), ...group);
        if (earningsOf.some((month) => month === earnedIn)) continue;
        proceeds.add(day, currency, new Big(order.price).times(kept).times(sign), ...group);
      }
      for (const [index, one] of earnings.entries()) {
        const month = monthsEarned[index];
        if (!earningsOf.some((earned) => earned === month)) continue;
        const day = new Date(START + one.second * 1_000).toISOString().slice(0, 10);
        const all = earnings.filter((_, other) => monthsEarned[other] === month);
        const isFirst = all.indexOf(one) < Math.floor(all.length / 2);
        const group = [one.country, one.package, isFirst];
        proceeds.add(day, 'EUR', new Big(one.cents).div(100), 'earned', month, ...group);
      }
      for (const { day, installs: count } of installs) of(day).downloads += count;
      spend.into(of, 'customerSpendMinor');
      proceeds.into(of, 'proceedsMinor');

      const query = 'store=google_play&from=2026-11-01&to=2026-12-31&currency=USD';
      const answer = await ask(org, query);
      for (const day of answer.series) {
        expect(day).toMatchObject({ covered: true, ...(told.get(day.day) ?? nothing()) });
      }
    }),
    { numRuns: RUNS },
  );
  expect(reports.violations).toEqual([]);
}, 1_200_000);
