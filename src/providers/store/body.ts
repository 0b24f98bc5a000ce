import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { StoreFault } from './fault.ts';

const inflate = promisify(gunzip);

/** Bounds the memory that one report may take, whatever the store (or a proxy) sends. */
const INFLATED_MAX_BYTES = 128 * 1024 * 1024;

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
