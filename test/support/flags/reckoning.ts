/** What a flag comes to, reckoned plainly and without the service's code. */

type Json = any;

const MASK = 0xffffffffn;
function fnv(text: string): bigint {
  let hash = 2166136261n;
  for (let at = 0; at < text.length; at += 1) {
    hash = ((hash ^ BigInt(text.charCodeAt(at))) * 16777619n) & MASK;
  }
  return hash;
}

/** Of 10,000. */
const bucket = (seed: string, person: string) => Number(fnv(String(fnv(seed + person))) % 10_000n);

/** Of the form 1.2.3 or 1.2.3-beta. */
function versionOrder(one: string, other: string): number | null {
  const form = /^\d+(\.\d+)*(-beta)?$/;
  if (!form.test(one) || !form.test(other)) return null;
  const parts = (text: string) => text.replace('-beta', '').split('.').map(Number);
  const [a, b] = [parts(one), parts(other)];
  for (let at = 0; at < 9; at += 1) {
    if ((a[at] ?? 0) !== (b[at] ?? 0)) return (a[at] ?? 0) - (b[at] ?? 0);
  }
  return Number(other.endsWith('-beta')) - Number(one.endsWith('-beta'));
}

function order(field: string, value: Json, bound: Json): number | null {
  if (value === undefined || value === null || typeof value !== typeof bound) return null;
  if (field === 'appVersion' || field === 'osVersion') return versionOrder(value, bound);
  if (typeof value === 'boolean') return null;
  return value < bound ? -1 : value > bound ? 1 : 0;
}

function holds(condition: Json, context: Json): boolean {
  if (condition.all) return condition.all.every((part: Json) => holds(part, context));
  if (condition.any) return condition.any.some((part: Json) => holds(part, context));
  const { field, op } = condition;
  const isProp = field.startsWith('prop:');
  let value = context[isProp ? field.slice(5) : field];
  if (value === '' && !isProp) value = undefined;
  const fold = (text: Json) => (field === 'country' ? text?.toUpperCase?.() : text);
  const code = (text: Json) => (/^[a-z]{1,2}$/i.test(text) ? fold(text) : text);
  const missing = value === undefined || value === null;
  const is = (wanted: Json) => !missing && fold(value) === fold(wanted);
  const by = (bound: Json) => order(field, fold(value), code(bound));
  if (op === 'is') return is(condition.value);
  if (op === 'isNot') return !is(condition.value);
  if (op === 'isOneOf') return condition.values.some(is);
  if (op === 'isSet') return !missing;
  if (op === 'isNotSet') return missing;
  if (op === 'contains')
    return typeof value === 'string' && fold(value).includes(code(condition.value));
  if (op === 'beginsWith') {
    return typeof value === 'string' && fold(value).startsWith(code(condition.value));
  }
  if (op === 'between') {
    const [low, high] = [by(condition.from), by(condition.to)];
    return low !== null && high !== null && low >= 0 && high <= 0;
  }
  const found = by(condition.value);
  if (found === null) return false;
  return { gt: found > 0, gte: found >= 0, lt: found < 0, lte: found <= 0 }[op as 'gt'];
}

/** The id of a person's arm; null for who takes no part. */
export function reckonArm(experiment: Json, person: string): string | null {
  const { id, arms, layer, status, shipped, overrides = {} } = experiment;
  if (status !== 'running') return shipped?.armId ?? null;
  if (overrides[person]) return overrides[person];
  if (layer) {
    const place = bucket(`layer:${layer.name}`, person) / 100;
    if (place < layer.fromPercent || place >= layer.toPercent) return null;
  }
  const total = arms.reduce((sum: number, { weight }: Json) => sum + weight, 0);
  let reached = 0;
  for (const arm of arms) {
    reached += arm.weight;
    if (bucket(id, person) < Math.round((reached / total) * 10_000)) return arm.id;
  }
  return null;
}

/** The value that a person gets. */
export function reckon(flag: Json, context: Json, experiments: readonly Json[] = []): Json {
  const variantValue = (name: string) => flag.variants.find((one: Json) => one.name === name).value;
  if (!flag.isOn) return variantValue(flag.offVariant);
  const person = context.targetingKey;
  for (const rule of flag.rules) {
    if (rule.where && !holds(rule.where, context)) continue;
    if (rule.percent !== undefined && bucket(rule.id, person) >= Math.round(rule.percent * 100)) {
      continue;
    }
    if (rule.experiment) {
      const experiment = experiments.find(({ id }) => id === rule.experiment);
      const arm = experiment ? reckonArm(experiment, person) : null;
      if (arm === null) continue;
      return variantValue(rule.variations[arm]);
    }
    if (rule.variant) return variantValue(rule.variant);
    const total = rule.split.reduce((sum: number, { weight }: Json) => sum + weight, 0);
    const place = bucket(`${rule.id}:split`, person);
    let reached = 0;
    for (const { variant, weight } of rule.split) {
      reached += weight;
      if (place < Math.round((reached / total) * 10_000)) return variantValue(variant);
    }
  }
  return variantValue(flag.defaultVariant);
}
