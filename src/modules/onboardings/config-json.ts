import { invalidInput } from '../../shared/errors.ts';
import { MAX_CONFIG_BYTES } from './model.ts';

/** The config as it is stored. Throws `invalid_input` over 16 KB or with text that JSONB refuses. */
export function configJson(config: unknown): string {
  const json = JSON.stringify(config ?? null);
  if (Buffer.byteLength(json) > MAX_CONFIG_BYTES) {
    throw invalidInput('config', `must be at most ${MAX_CONFIG_BYTES} bytes as JSON`);
  }
  if (json.includes('\\u0000')) throw invalidInput('config', 'must not contain NUL');
  if (!json.isWellFormed() || /\\ud[89a-f][0-9a-f]{2}/i.test(json)) {
    throw invalidInput('config', 'must not contain lone surrogates');
  }
  return json;
}
