export const STORES = ['app_store', 'google_play'] as const;
export type Store = (typeof STORES)[number];

type StoreFacts = {
  label: string;
  /** Time zone of the days of its reports. */
  timeZone: 'America/Los_Angeles' | 'UTC';
  /** Its reports say lengths and shares by product. */
  reportsTerms: boolean;
  /** Add-ons: products of a chain run beside each other, and none supersedes another. */
  hasAddOns: boolean;
  refundsParts: boolean;
};

export const STORE_FACTS: Readonly<Record<Store, StoreFacts>> = {
  app_store: {
    label: 'App Store',
    timeZone: 'America/Los_Angeles',
    reportsTerms: true,
    hasAddOns: false,
    refundsParts: true,
  },
  google_play: {
    label: 'Google Play',
    timeZone: 'UTC',
    reportsTerms: false,
    hasAddOns: true,
    refundsParts: false,
  },
};
