import type { SimulatorAnswer } from '../kit/server.ts';
import type { SimEnvironment, TransactionPayload } from './payloads.ts';

export const fail = (status: number, errorCode: number, errorMessage: string): SimulatorAnswer => ({
  status,
  json: { errorCode, errorMessage },
});

type Violate = (what: string) => SimulatorAnswer;
type Fields = Record<string, unknown>;

export type Consumption = { transactionId: string; body: Fields; at: number };

/** What clients changed: extensions and what they told of consumption. */
export type Changed = {
  extensions: Map<string, { chainId: string; days: number }>;
  tokens: Map<string, string>;
  consumptions: Consumption[];
};
export const nothingChanged = (): Changed => ({
  ...{ extensions: new Map(), tokens: new Map(), consumptions: [] },
});

type Known = {
  transaction: (id: string) => TransactionPayload | undefined;
  /** The newest period of a chain, with the store's status. */
  chain: (id: string) => { status: number; transaction: TransactionPayload } | undefined;
};

export type ChangeRequest = {
  environment: SimEnvironment;
  /** Behind `/inApps/`. */
  path: string;
  body: unknown;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = 86_400_000;

function unknownField(body: Fields, known: readonly string[]): string | undefined {
  return Object.keys(body).find((name) => !known.includes(name));
}

function extend(id: string, body: Fields, known: Known, changed: Changed, violate: Violate) {
  const { extendByDays: days, extendReasonCode: reason, requestIdentifier } = body;
  const odd = unknownField(body, ['extendByDays', 'extendReasonCode', 'requestIdentifier']);
  if (odd) return violate(`unknown field ${odd}`);
  if (reason === undefined) {
    violate('no extendReasonCode');
    return fail(500, 5_000_000, 'An unknown error occurred.');
  }
  if (!Number.isInteger(days) || Number(days) < 1 || Number(days) > 90) {
    return fail(400, 4_000_009, 'Invalid extend by days value.');
  }
  if (![0, 1, 2, 3].includes(Number(reason))) return fail(400, 4_000_010, 'Invalid reason code.');
  if (typeof requestIdentifier !== 'string' || !/^.{1,128}$/.test(requestIdentifier)) {
    return fail(400, 4_000_011, 'Invalid request identifier.');
  }
  if (!/^\d+$/.test(id)) return fail(400, 4_000_008, 'Invalid original transaction id.');
  const chain = known.chain(id);
  if (!chain) return fail(404, 4_040_005, 'Original transaction id not found.');
  const { transaction, status } = chain;
  if (transaction.inAppOwnershipType === 'FAMILY_SHARED') {
    return fail(403, 4_030_007, 'Family shared.');
  }
  if (status !== 1 || transaction.offerDiscountType === 'FREE_TRIAL') {
    return fail(403, 4_030_004, 'Subscription extension is not eligible.');
  }
  if (changed.extensions.has(`${id} ${requestIdentifier}`))
    return violate('a request identifier again');
  const before = [...changed.extensions.values()].filter((one) => one.chainId === id);
  if (before.length >= 2) return fail(403, 4_030_005, 'Subscription max extensions reached.');
  changed.extensions.set(`${id} ${requestIdentifier}`, { chainId: id, days: Number(days) });
  transaction.expiresDate = (transaction.expiresDate ?? 0) + Number(days) * DAY;
  const json = {
    ...{ originalTransactionId: id, webOrderLineItemId: `${id}1`, success: true },
    effectiveDate: transaction.expiresDate,
  };
  return { status: 200, json };
}

function setToken(id: string, body: Fields, known: Known, changed: Changed, violate: Violate) {
  const odd = unknownField(body, ['appAccountToken']);
  if (odd) return violate(`unknown field ${odd}`);
  if (typeof body.appAccountToken !== 'string' || !UUID.test(body.appAccountToken)) {
    return fail(400, 4_000_183, 'Invalid app account token.');
  }
  const transaction = known.transaction(id);
  if (!transaction) return fail(404, 4_040_005, 'Original transaction id not found.');
  if (transaction.originalTransactionId !== id) {
    return fail(400, 4_000_187, 'Not an original transaction id.');
  }
  if (transaction.inAppOwnershipType === 'FAMILY_SHARED') {
    return fail(400, 4_000_185, 'Family shared.');
  }
  changed.tokens.set(id, body.appAccountToken);
  return { status: 200, text: '' };
}

const DELIVERIES = [
  ...['DELIVERED', 'UNDELIVERED_QUALITY_ISSUE', 'UNDELIVERED_WRONG_ITEM'],
  ...['UNDELIVERED_SERVER_OUTAGE', 'UNDELIVERED_OTHER'],
];
const PREFERENCES = ['DECLINE', 'GRANT_FULL', 'GRANT_PRORATED'];
const FIELDS = [
  ...['customerConsented', 'deliveryStatus', 'sampleContentProvided'],
  ...['consumptionPercentage', 'refundPreference'],
];

function refuseConsumption(
  { type, inAppOwnershipType }: TransactionPayload,
  body: Fields,
  violate: Violate,
): SimulatorAnswer | null {
  const { consumptionPercentage: used, refundPreference: preference } = body;
  if (inAppOwnershipType === 'FAMILY_SHARED') return fail(400, 4_000_185, 'Family shared.');
  if (inAppOwnershipType === 'ASSIGNED') return fail(400, 4_000_227, 'An assigned seat.');
  const isRenewable = type === 'Auto-Renewable Subscription';
  if (isRenewable && used !== undefined) {
    return fail(400, 4_000_209, 'No percentage for auto-renewable subscriptions.');
  }
  const isPercentage = Number.isInteger(used) && Number(used) >= 0 && Number(used) <= 100_000;
  if (used !== undefined && !isPercentage) return violate('a percentage out of range');
  if (body.deliveryStatus !== 'DELIVERED' && used !== undefined && used !== 0) {
    return violate('a percentage of what was not delivered');
  }
  const isBetween = used !== undefined && Number(used) > 0 && Number(used) < 100_000;
  if (preference === 'GRANT_PRORATED' && !isRenewable && !isBetween) {
    return violate('GRANT_PRORATED without a part that was used');
  }
  return null;
}

/** Answered once: the same body again changes nothing, another one is a violation. */
function consume(id: string, body: Fields, known: Known, changed: Changed, violate: Violate) {
  const odd = unknownField(body, FIELDS);
  if (odd) return violate(`unknown field ${odd}`);
  if (!/^\d+$/.test(id)) return fail(400, 4_000_006, 'Invalid transaction id.');
  if (body.customerConsented !== true) {
    violate('without consent');
    return fail(400, 4_000_035, 'Invalid customer consented.');
  }
  if (!DELIVERIES.includes(String(body.deliveryStatus))) {
    return fail(400, 4_000_036, 'Invalid delivery status.');
  }
  if (typeof body.sampleContentProvided !== 'boolean') {
    return fail(400, 4_000_041, 'Invalid sample content provided.');
  }
  const { refundPreference } = body;
  if (refundPreference !== undefined && !PREFERENCES.includes(String(refundPreference))) {
    return fail(400, 4_000_044, 'Invalid refund preference.');
  }
  const transaction = known.transaction(id);
  if (!transaction) return fail(404, 4_040_010, 'Transaction id not found.');
  const refused = refuseConsumption(transaction, body, violate);
  if (refused) return refused;
  const before = changed.consumptions.find((one) => one.transactionId === id);
  if (before && !Bun.deepEquals(before.body, body)) violate('another answer to the same request');
  changed.consumptions.push({ transactionId: id, body, at: Date.now() });
  return { status: 202, text: '' };
}

/** Null for another resource. */
export function changeAnswer(
  { path, body }: ChangeRequest,
  known: Known,
  changed: Changed,
  violate: Violate,
): SimulatorAnswer | null {
  const route = /^(v1\/subscriptions\/extend|v2\/transactions\/consumption)\/([^/]+)$/.exec(path);
  const token = /^v1\/transactions\/([^/]+)\/appAccountToken$/.exec(path);
  if (!route && !token) return null;
  if (typeof body !== 'object' || body === null) return violate('no body of JSON');
  const fields = body as Fields;
  if (token) return setToken(token[1] ?? '', fields, known, changed, violate);
  const [, resource, id = ''] = route ?? [];
  const carryOut = resource === 'v1/subscriptions/extend' ? extend : consume;
  return carryOut(id, fields, known, changed, violate);
}
