import type { Api } from '../../clients/api/src/index.ts';
import { PRODUCTS, type SimulatedApp } from './market.ts';

type Scope = { api: Api; appId: string; app: SimulatedApp };

const TRACKED = { days: 28, interval: 'day' } as const;

async function nameProducts({ api, appId: id, app }: Scope): Promise<void> {
  const productOf = ({ sku }: { sku: string }) => `${app.bundleId}.${sku}`;
  const { yearly, monthly } = PRODUCTS;
  const productIds = [productOf(yearly), productOf(monthly)];
  await api.setNamedEntitlements({ id, body: { entitlements: [{ name: 'pro', productIds }] } });
  await api.setOfferings({
    id,
    body: {
      offerings: [
        {
          identifier: 'default',
          name: 'Both plans',
          packages: [
            { identifier: 'yearly', productIds: [productOf(yearly)] },
            { identifier: 'monthly', productIds: [productOf(monthly)] },
          ],
          metadata: { headline: 'Focus without limits' },
        },
      ],
      defaultOffering: 'default',
      flag: null,
    },
  });
}

const ON_AND_OFF = [
  { name: 'on', value: true },
  { name: 'off', value: false },
];

async function makeFlags({ api, appId: id }: Scope): Promise<void> {
  await api.createFlag({
    id,
    body: {
      key: 'weekly-summary',
      type: 'boolean',
      isOn: true,
      description: 'A summary of the week on Sunday evening.',
      variants: ON_AND_OFF,
      defaultVariant: 'off',
      rules: [{ percent: 25, variant: 'on' }],
      why: 'A quarter of the people first.',
    },
  });
  await api.createFlag({
    id,
    body: {
      key: 'paywall-headline',
      type: 'string',
      isOn: true,
      description: 'The first line of the paywall.',
      variants: [
        { name: 'calm', value: 'Focus without limits' },
        { name: 'trial', value: 'Seven days free' },
      ],
      defaultVariant: 'calm',
      rules: [
        {
          where: { all: [{ field: 'country', op: 'is', value: 'DE' }] },
          split: [
            { variant: 'calm', weight: 1 },
            { variant: 'trial', weight: 1 },
          ],
        },
      ],
    },
  });
  await api.createFlag({
    id,
    body: {
      key: 'sync-interval-minutes',
      type: 'number',
      description: 'How often devices fetch the plans.',
      variants: [
        { name: 'usual', value: 30 },
        { name: 'rare', value: 240 },
      ],
      defaultVariant: 'usual',
    },
  });
}

async function saveQuestions({ api, appId: id }: Scope): Promise<void> {
  const undecided = await api.createSegment({
    id,
    body: {
      name: 'Saw the paywall twice, did not buy',
      rule: {
        all: [
          { did: { events: ['paywall_viewed'] }, atLeast: 2, withinDays: 30 },
          { didNot: { events: ['purchase_completed'] } },
        ],
      },
    },
  });
  await api.saveQuestion({
    id,
    body: {
      name: 'Paywalls by version',
      question: {
        ...TRACKED,
        kind: 'series',
        series: [{ events: ['paywall_viewed'] }],
        breakdown: 'appVersion',
      },
    },
  });
  await api.saveQuestion({
    id,
    body: {
      name: 'How long the undecided stay',
      question: {
        ...TRACKED,
        kind: 'measures',
        selection: { where: { all: [{ segment: undecided.id, is: true }] } },
        measure: { of: 'sessionLength' },
      },
    },
  });
}

async function saveSql({ api }: Scope): Promise<void> {
  const sql = `SELECT props->>'plan' AS plan, count(*) AS purchases
FROM events
WHERE name = 'purchase_completed'
GROUP BY ALL
ORDER BY purchases DESC`;
  await api.saveSqlQuery({ body: { name: 'Purchases by plan', sql } });
}

/** Needs the purchases, whose products names stand for. */
export async function fillSettings(scope: Scope): Promise<void> {
  await nameProducts(scope);
  await makeFlags(scope);
  await saveQuestions(scope);
  await saveSql(scope);
}
