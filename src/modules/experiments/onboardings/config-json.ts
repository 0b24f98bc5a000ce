import { invalidInput } from '../../../shared/errors.ts';
import { isRefusedByJsonb } from '../../../shared/well-formed-json.ts';
import { MAX_CONFIG_BYTES } from './model.ts';

const MAX_DEPTH = 32;

/** Depth bound against stack overflows, on devices too. */
function isTooDeep(config: unknown): boolean {
  let level: unknown[] = [config];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null
        ? Object.values(value).filter((child) => typeof child === 'object' && child !== null)
        : [],
    );
  }
  return false;
}

/** Throws `invalid_input` over 16 KB, beyond 32 levels, or for text that JSONB refuses. */
export function configJson(config: unknown): string {
  if (isTooDeep(config)) throw invalidInput('config', `at most ${MAX_DEPTH} levels deep`);
  const json = JSON.stringify(config ?? null);
  if (Buffer.byteLength(json) > MAX_CONFIG_BYTES) {
    throw invalidInput('config', `must be at most ${MAX_CONFIG_BYTES} bytes as JSON`);
  }
  if (isRefusedByJsonb(config)) {
    throw invalidInput('config', 'must not contain NUL or lone surrogates');
  }
  return json;
}
