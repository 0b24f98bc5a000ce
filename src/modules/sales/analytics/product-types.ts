export const KINDS = ['app', 'iap', 'subscription', 'other'] as const;
export type Kind = (typeof KINDS)[number];

export type UnitMetric =
  | 'downloads'
  | 'redownloads'
  | 'updates'
  | 'iapUnits'
  | 'subscriptionUnits'
  | 'otherUnits';

export type ProductType = { kind: Kind; metric: UnitMetric; label: string; known: boolean };

const type = (kind: Kind, metric: UnitMetric, label: string): ProductType => ({
  kind,
  metric,
  label,
  known: true,
});
const download = (label: string) => type('app', 'downloads', label);
const redownload = (label: string) => type('app', 'redownloads', label);
const update = (label: string) => type('app', 'updates', label);
const purchase = (label: string) => type('iap', 'iapUnits', label);
const subscription = (label: string) => type('subscription', 'subscriptionUnits', label);

const PRODUCT_TYPES: Readonly<Record<string, ProductType>> = {
  '1': download('App'),
  '1F': download('Universal app'),
  '1T': download('iPad app'),
  '1E': download('Custom app'),
  '1EP': download('Custom iPad app'),
  '1EU': download('Custom universal app'),
  '1-B': download('App bundle'),
  F1: download('Mac app'),
  'F1-B': download('Mac app bundle'),
  '3': redownload('App re-download'),
  '3F': redownload('Universal app re-download'),
  '3T': redownload('iPad app re-download'),
  '5': redownload('App re-download (legacy)'),
  '7': update('App update'),
  '7F': update('Universal app update'),
  '7T': update('iPad app update'),
  F7: update('Mac app update'),
  IA1: purchase('In-app purchase'),
  'IA1-M': purchase('Mac in-app purchase'),
  FI1: purchase('Mac in-app purchase'),
  IA9: purchase('Non-renewing subscription'),
  'IA9-M': purchase('Mac non-renewing subscription'),
  // A restore repeats an earlier purchase: no sale.
  IA3: type('iap', 'otherUnits', 'Restored in-app purchase'),
  IAY: subscription('Auto-renewable subscription'),
  'IAY-M': subscription('Mac auto-renewable subscription'),
  IAC: subscription('Free subscription'),
  'IAC-M': subscription('Mac free subscription'),
  // Its installs are the downloads.
  'play-app': type('app', 'otherUnits', 'Paid app of Google Play'),
  'play-inapp': purchase('In-app product of Google Play'),
  'play-subscription': subscription('Subscription of Google Play'),
  'play-install': download('Install from Google Play'),
};

const FAMILIES: readonly (readonly [RegExp, Kind, UnitMetric])[] = [
  [/^F?1/, 'app', 'downloads'],
  [/^F?3/, 'app', 'redownloads'],
  [/^F?7/, 'app', 'updates'],
  [/^IA[YC]/, 'subscription', 'subscriptionUnits'],
  [/^(IA|FI)/, 'iap', 'iapUnits'],
];

/** An unknown identifier keeps its money and counts as `otherUnits`. */
export function productType(identifier: string): ProductType {
  const known = Object.hasOwn(PRODUCT_TYPES, identifier) ? PRODUCT_TYPES[identifier] : undefined;
  if (known) return known;
  const label = identifier === '' ? 'No product type' : `Product type ${identifier}`;
  for (const [pattern, kind, metric] of FAMILIES) {
    if (pattern.test(identifier)) return { kind, metric, label, known: false };
  }
  return { kind: 'other', metric: 'otherUnits', label, known: false };
}
