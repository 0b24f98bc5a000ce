import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { at } from '../shared/assert.ts';
import { MARKS, readMark, withMarks, withoutMarks } from './contracts/payload-marks.ts';

const ENCODING = new TextEncoder().encode('binary/encrypted');
const KEY_ID = 'encryption-key-id';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type PayloadKey = { id: string; key: Uint8Array };

export type PayloadCodecOptions = {
  keys: readonly PayloadKey[];
  /** Until when runs with earlier payloads could begin. */
  acceptUntil?: { plain: Date; unbound: Date };
};

type Context = Parameters<PayloadCodec['encode']>[1];

function isEncrypted(payload: Payload): boolean {
  const encoding = payload.metadata?.encoding;
  return encoding !== undefined && encoding !== null && Buffer.from(encoding).equals(ENCODING);
}

/** Payloads from before key ids try all keys. */
function candidates(keys: readonly PayloadKey[], payload: Payload): readonly PayloadKey[] {
  const named = payload.metadata?.[KEY_ID];
  if (!named) return keys;
  const id = new TextDecoder().decode(named);
  const matching = keys.filter((key) => key.id === id);
  if (matching.length > 0) return matching;
  throw new Error(`A payload was encrypted with the key ${id}, which is not in SECRETS_KEY.`);
}

/** Nonce, ciphertext, tag. */
function encrypt({ key }: PayloadKey, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(keys: readonly PayloadKey[], data: Uint8Array): Uint8Array {
  const nonce = data.subarray(0, NONCE_BYTES);
  const tag = data.subarray(-TAG_BYTES);
  for (const { key } of keys) {
    try {
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      const plain = decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]);
    } catch {
      // The tag does not tell a wrong key from tampering.
    }
  }
  throw new Error('No key of SECRETS_KEY decrypts a payload.');
}

/** No other run opens it; the previous release and the UI can read it. */
function bound(payload: Payload, context: Context): Payload {
  if (context?.workflowId === undefined) return payload;
  const { workflowId } = context;
  const activityId = context.type === 'activity' ? context.activityId : undefined;
  return withMarks(payload, {
    [MARKS.boundWorkflow]: workflowId,
    ...(activityId !== undefined && { [MARKS.boundActivity]: activityId }),
  });
}

/** Schedules append the time to their runs' ids. */
function belongsToRun(workflowId: string, boundTo: string): boolean {
  if (workflowId === boundTo) return true;
  const time = workflowId.startsWith(`${boundTo}-`) ? workflowId.slice(boundTo.length + 1) : '';
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time);
}

function isFor(payload: Payload, context: Context): boolean {
  if (context?.workflowId === undefined) return true;
  if (!belongsToRun(context.workflowId, readMark(payload, MARKS.boundWorkflow) ?? '')) return false;
  const activityId = context.type === 'activity' ? context.activityId : undefined;
  return activityId === undefined || readMark(payload, MARKS.boundActivity) === activityId;
}

const OURS = [MARKS.boundWorkflow, MARKS.boundActivity, MARKS.acceptedUntil, MARKS.sealed];
const EVERY = [...OURS, MARKS.purpose];

/** Runs begun before `until` may hold the payload. */
const accepted = (payload: Payload, until: number) =>
  withMarks(payload, { [MARKS.acceptedUntil]: String(until) });

/** AES-256-GCM; leaves foreign payloads unchanged. */
export function createPayloadCodec({ keys, acceptUntil }: PayloadCodecOptions): PayloadCodec {
  const first = at(keys, 0);
  const proto = temporal.api.common.v1.Payload;
  const metadata = { encoding: ENCODING, [KEY_ID]: Buffer.from(first.id) };
  const decodeOne = (payload: Payload, context: Context): Payload => {
    if (!isEncrypted(payload) || !payload.data) {
      const plain = withoutMarks(payload, EVERY);
      return acceptUntil ? accepted(plain, acceptUntil.plain.getTime()) : payload;
    }
    const opened: Payload = proto.decode(decrypt(candidates(keys, payload), payload.data));
    const clean = withoutMarks(opened, OURS);
    if (!acceptUntil) return clean;
    if (readMark(opened, MARKS.boundWorkflow) === undefined) {
      return accepted(clean, acceptUntil.unbound.getTime());
    }
    return isFor(opened, context) ? withMarks(clean, { [MARKS.sealed]: '1' }) : accepted(clean, 0);
  };
  return {
    encode: async (payloads, context) =>
      payloads.map((payload) => ({
        metadata,
        data: encrypt(first, proto.encode(bound(payload, context)).finish()),
      })),
    decode: async (payloads, context) => payloads.map((payload) => decodeOne(payload, context)),
  };
}
