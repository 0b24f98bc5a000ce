import { addressGroup } from '../shared/client-address.ts';
import type { Access, KeyPlace } from './access.ts';
import { authenticate, RefusedKey } from './authenticate.ts';
import { isOfType, malformedJson } from './body.ts';
import { countingFailures } from './guard.ts';
import {
  checkUnpacked,
  readIntakeBytes,
  readIntakeText,
  type SentBody,
  SMALL_BYTES,
  searchedBody,
  sentBody,
  toIntakeText,
} from './intake-body.ts';
import { parseInTurns } from './json-in-turns.ts';
import { findKeys } from './key-search.ts';
import { ArrivingBody } from './keyed-body.ts';
import { RateLimited } from './limits.ts';
import type { RequestState } from './state.ts';
import { waiting } from './waiting-bodies.ts';

/** Typed text may look like keys. */
const MAX_GUESSES = 8;
const MAX_REFUSALS = 32;

type Intake = {
  state: RequestState;
  access: Access;
  request: Request;
  passGuard: () => Promise<void>;
};

async function exceededLimit({ deps, address }: RequestState): Promise<RateLimited | null> {
  try {
    await deps.rateLimits.check('failedAuthentication', addressGroup(address));
    return null;
  } catch (thrown) {
    if (thrown instanceof RateLimited) return thrown;
    throw thrown;
  }
}

async function refusalOf({ state, access, request }: Intake, key: string | undefined) {
  const { deps, address } = state;
  try {
    await authenticate(deps, access, { headers: request.headers, address, key });
    return null;
  } catch (thrown) {
    if (thrown instanceof RefusedKey) return thrown;
    throw thrown;
  }
}

/** The first valid key; the last one too, where some clients put theirs. */
async function findKey(intake: Intake, found: AsyncIterable<string[]>): Promise<string> {
  const refusals = new Map<string, RefusedKey>();
  let [guesses, last] = [0, ''];
  for await (const keys of found) {
    last = keys.at(-1) ?? last;
    for (const key of new Set(keys)) {
      if (guesses >= MAX_GUESSES || refusals.size >= MAX_REFUSALS) break;
      if (refusals.has(key)) continue;
      const refusal = await refusalOf(intake, key);
      if (refusal === null) return key;
      refusals.set(key, refusal);
      if (refusal.fault !== 'malformed') guesses += 1;
    }
  }
  const refusal = refusals.get(last) ?? (await refusalOf(intake, last));
  if (refusal !== null) throw refusal;
  return last;
}

/** An address over its limit gets a short look. */
async function readUntilKey(intake: Intake, sent: SentBody): Promise<Uint8Array> {
  const { state, access } = intake;
  const limit = await exceededLimit(state);
  const held = waiting.open(addressGroup(state.address));
  const body = new ArrivingBody(sent, held);
  const check = (bytes: number) => {
    if (limit !== null && bytes > SMALL_BYTES) throw limit;
    checkUnpacked(bytes, body.bytes);
  };
  try {
    state.sentKey = await countingFailures(state, access, () =>
      findKey(intake, findKeys(body.pieces, check)),
    );
    held.release();
    return await body.whole();
  } finally {
    body.cancel();
  }
}

async function arriving<T>(state: RequestState, read: () => Promise<T>): Promise<T> {
  state.arrivedAtMs = null;
  try {
    return await read();
  } finally {
    state.arrivedAtMs = performance.now();
  }
}

async function parse(state: RequestState, text: string): Promise<unknown> {
  state.rawBody = text;
  const value = await parseInTurns(text).catch((cause: unknown) => {
    throw malformedJson(cause);
  });
  state.json = { value };
  return value;
}

/** The key found first may be a nested one. */
async function readKeyed(intake: Intake, { inBody }: KeyPlace): Promise<void> {
  const { state, access, request, passGuard } = intake;
  const sent = searchedBody(request, access);
  const bytes = await arriving(state, () => readUntilKey(intake, sent));
  await passGuard();
  const key = inBody(await parse(state, await toIntakeText(bytes, sent)))?.trim();
  if (key === state.sentKey) return;
  state.sentKey = key;
  state.caller = null;
  await passGuard();
}

async function readKnown({ state, access, request }: Intake): Promise<void> {
  const binary = access.protocol?.binary;
  const sent = sentBody(request, access);
  if (binary && isOfType(binary.contentType, request.headers.get('content-type'))) {
    const bytes = await arriving(state, () => readIntakeBytes(sent));
    state.json = { value: await binary.parse(bytes) };
  } else await parse(state, await arriving(state, () => readIntakeText(sent)));
}

/** Parses nothing for strangers. */
export async function readIntake(intake: Intake): Promise<void> {
  const { state, access, request, passGuard } = intake;
  const keyOf = access.protocol?.keyOf;
  state.sentKey = keyOf?.inHeaders?.(request.headers);
  if (keyOf && state.sentKey === undefined) return readKeyed(intake, keyOf);
  await passGuard();
  await readKnown(intake);
}
