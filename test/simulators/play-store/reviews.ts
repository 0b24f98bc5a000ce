import type { SimulatorAnswer, SimulatorRequest } from '../kit/server.ts';
import { googleError } from './errors.ts';

const ANSWERABLE = 24 * 3_600_000;
const MOST_EVENTS = 1_000;
const MOST_CHARACTERS = 5_000;

type Body = Record<string, unknown>;
type Event = { consumptionTime?: string; consumptionItemDescription?: string };
type Asked = {
  token: string;
  orderId: string;
  packageName: string;
  at: number;
  /** Carried out; the first one counts. */
  answers: { at: number; body: Body }[];
};
type Called = {
  orderId: string;
  packageName: string;
  json: SimulatorRequest['json'];
  now: number;
  violate: (what: string) => SimulatorAnswer;
};

let tokens = 0;

/** As the documents have it; refusals of a repeated, a late and a foreign token by hand. */
export class Reviews {
  readonly asked = new Map<string, Asked>();
  /** What Google does about a second answer is not documented. */
  areRepeatsRefused = false;

  /** As of now; its token comes with the notification. */
  ask(orderId: string, packageName: string, at: number): Asked {
    tokens += 1;
    const asked = { token: `refund-${tokens}-${orderId}`, orderId, packageName, at, answers: [] };
    this.asked.set(asked.token, asked);
    return asked;
  }

  answer({ orderId, packageName, json, now, violate }: Called): SimulatorAnswer {
    const body = (json ?? {}) as Body;
    const { pendingRefundToken: token, refundPreference, sampleContentProvided } = body;
    for (const field of [token, refundPreference, sampleContentProvided]) {
      if (field === undefined) return googleError(400, 'required');
    }
    const asked = this.asked.get(String(token));
    if (!asked || asked.packageName !== packageName) return googleError(404, 'notFound');
    if (asked.orderId !== orderId) return googleError(400, 'invalidValue', 'of another order');
    if (refundPreference === 'REFUND_PREFERENCE_UNSPECIFIED')
      return googleError(400, 'invalidValue');
    const wrong = wrongEvidence(body, now);
    if (wrong !== null) {
      violate(wrong);
      return googleError(400, 'invalidValue', wrong);
    }
    if (now > asked.at + ANSWERABLE) {
      violate('an answer after 24 hours');
      return googleError(400, 'pendingRefundExpired');
    }
    const [first] = asked.answers;
    if (first && !Bun.deepEquals(first.body, body)) violate('another answer to the same token');
    if (first && this.areRepeatsRefused) return googleError(400, 'pendingRefundAlreadyReviewed');
    asked.answers.push({ at: now, body });
    return { status: 200, json: {} };
  }
}

function wrongEvidence(body: Body, now: number): string | null {
  const used = body.consumptionPercentageMilliunits;
  if (used !== undefined && !(Number(used) >= 0 && Number(used) <= 100_000)) return 'a percentage';
  const events = (body.consumptionUsageEvents ?? []) as Event[];
  if (events.length > MOST_EVENTS) return 'too many events';
  for (const { consumptionTime, consumptionItemDescription = '' } of events) {
    if (consumptionItemDescription.length > MOST_CHARACTERS) return 'a long description';
    if (consumptionTime !== undefined && Date.parse(consumptionTime) > now) return 'a use to come';
  }
  return null;
}
