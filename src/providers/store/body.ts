import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { messageOf } from '../../shared/errors.ts';
import { StoreFault } from './fault.ts';

const inflate = promisify(gunzip);

/** Larger than any day of a real account; a bound on memory, not a business rule. */
const COMPRESSED_MAX_BYTES = 32 * 1024 * 1024;
const INFLATED_MAX_BYTES = 128 * 1024 * 1024;

/** The whole body; throws StoreFault when it is cut off or too large. */
export async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > COMPRESSED_MAX_BYTES) {
        throw new StoreFault('protocol', 'The answer of the store is too large.');
      }
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof StoreFault) throw thrown;
    throw new StoreFault('unavailable', `The store's answer broke off (${messageOf(thrown)}).`, {
      cause: thrown,
    });
  }
  return Buffer.concat(chunks, size);
}

/** The text of a report body: gzip by its first two bytes, otherwise plain text. */
export async function reportText(body: Uint8Array): Promise<string> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return new TextDecoder().decode(body);
  try {
    const plain = await inflate(body, { maxOutputLength: INFLATED_MAX_BYTES });
    return new TextDecoder().decode(plain);
  } catch (thrown) {
    throw new StoreFault('unavailable', 'The report of the store cannot be unpacked.', {
      cause: thrown,
    });
  }
}
