/** Version 2 notification types whose transaction, renewal and status say everything. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'SUBSCRIBED',
  'DID_RENEW',
  'DID_CHANGE_RENEWAL_PREF',
  'DID_CHANGE_RENEWAL_STATUS',
  'OFFER_REDEEMED',
  'DID_FAIL_TO_RENEW',
  'GRACE_PERIOD_EXPIRED',
  'EXPIRED',
  'PRICE_INCREASE',
  'REFUND',
  'REFUND_REVERSED',
  'REFUND_DECLINED',
  'REVOKE',
  'CONSUMPTION_REQUEST',
  'RENEWAL_EXTENDED',
  'RENEWAL_EXTENSION',
  'ONE_TIME_CHARGE',
  'EXTERNAL_PURCHASE_TOKEN',
  'RESCIND_CONSENT',
  'METADATA_UPDATE',
  'MIGRATION',
  'PRICE_CHANGE',
  'TEST',
]);

/** False for words that the store began to use later: then the store is asked how things stand. */
export function isKnownType(type: string): boolean {
  return KNOWN_TYPES.has(type);
}
