import { isNoId } from '../../shared/identity.ts';
import { isRecord } from '../../shared/record.ts';
import type { Answer } from './answers.ts';
import type { Evaluation, EvaluationRequest } from './ofrep.model.ts';

/** The names by which rules know them. */
const ATTRIBUTES = {
  $app_version: 'appVersion',
  $os_version: 'osVersion',
  $locale: 'locale',
  $geoip_country_code: 'country',
} as const;

const PLATFORMS = new Map([
  ['ios', 'ios'],
  ['ipados', 'ios'],
  ['android', 'android'],
  ['mac os x', 'macos'],
  ['macos', 'macos'],
]);

function contextOf(properties: Record<string, unknown>): Record<string, unknown> {
  const system = properties.$os_name ?? properties.$os;
  const isBrowser = properties.$lib === 'web' || typeof properties.$browser === 'string';
  const platform = isBrowser
    ? 'web'
    : typeof system === 'string' && PLATFORMS.get(system.toLowerCase());
  const known = Object.entries(ATTRIBUTES).flatMap(([theirs, ours]) =>
    properties[theirs] === undefined ? [] : [[ours, properties[theirs]] as const],
  );
  const own = Object.entries(properties).filter(([name]) => !name.startsWith('$'));
  return { ...Object.fromEntries([...own, ...known]), ...(platform && { platform }) };
}

export type PosthogQuestion = {
  distinct_id: string | number;
  $device_id?: unknown;
  device_id?: unknown;
  $anon_distinct_id?: unknown;
  person_properties?: unknown;
};

const toText = (id: unknown) => (typeof id === 'number' ? String(id) : id);
const isId = (id: unknown): id is string => typeof id === 'string' && !isNoId(id);

/** The device keeps its variants when its user signs in; segments know the person. */
export function toEvaluation(question: PosthogQuestion) {
  const { $device_id, device_id, $anon_distinct_id, person_properties } = question;
  const distinctId = String(question.distinct_id);
  const properties = isRecord(person_properties) ? person_properties : {};
  const devices = [$device_id, device_id, properties.$device_id, $anon_distinct_id];
  const targetingKey = devices.map(toText).find(isId) ?? distinctId;
  const request: EvaluationRequest = { context: { ...contextOf(properties), targetingKey } };
  return { request, person: isNoId(distinctId) ? targetingKey : distinctId };
}

/** True, or the variant; values beside booleans and texts are payloads. */
function toFlag({ key, value, variant, reason }: Evaluation) {
  const isText = typeof value === 'string';
  const isSimple = isText || typeof value === 'boolean';
  return {
    key,
    enabled: value !== false,
    variant: isText ? value : typeof value === 'boolean' ? null : variant,
    reason: { code: reason.toLowerCase(), description: reason },
    metadata: { id: 0, version: 1, payload: isSimple ? null : JSON.stringify(value) },
  };
}

export function toPosthogFlags(answers: readonly Answer[], requestId: string) {
  const found = answers.map(({ evaluation }) => toFlag(evaluation));
  return {
    flags: Object.fromEntries(found.map((flag) => [flag.key, flag])),
    featureFlags: Object.fromEntries(
      found.map(({ key, enabled, variant }) => [
        key,
        enabled && variant !== null ? variant : enabled,
      ]),
    ),
    featureFlagPayloads: Object.fromEntries(
      found.flatMap(({ key, metadata }) =>
        metadata.payload === null ? [] : [[key, metadata.payload]],
      ),
    ),
    errorsWhileComputingFlags: false,
    requestId,
  };
}
