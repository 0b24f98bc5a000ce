import { joined } from './body.ts';
import { endedEarly, SMALL_BYTES, type SentBody } from './intake-body.ts';
import type { WaitingBody } from './waiting-bodies.ts';

const REQUEST_BYTES = 16 * 1024;
const UNPACKING_BYTES = 128 * 1024;

export class ArrivingBody {
  readonly #chunks: Uint8Array[] = [];
  readonly #arriving: AsyncGenerator<Uint8Array>;
  bytes = 0;

  constructor(
    private readonly sent: SentBody,
    private readonly held: WaitingBody,
  ) {
    this.#arriving = this.#receive();
  }

  /** Ending early leaves the rest to `whole`. */
  get pieces(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#arriving.next() }) };
  }

  async whole(): Promise<Uint8Array> {
    while (!(await this.#arriving.next()).done);
    const [first, ...others] = this.#chunks;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
  }

  /** Not awaited: the next piece may never come. */
  cancel(): void {
    this.held.release();
    this.#arriving.return(undefined).catch(() => undefined);
  }

  async *#receive(): AsyncGenerator<Uint8Array> {
    const { request, sentBytes, packing } = this.sent;
    this.held.hold(packing ? UNPACKING_BYTES : REQUEST_BYTES);
    try {
      // A stream is slower.
      if (sentBytes !== null && sentBytes <= SMALL_BYTES) {
        this.held.hold(sentBytes);
        yield this.#keep(await request.bytes());
        return;
      }
      for await (const chunk of request.body === null ? [] : joined(request.body)) {
        this.held.hold(chunk.length);
        yield this.#keep(chunk);
      }
    } catch (cause) {
      throw endedEarly(cause);
    }
  }

  #keep(chunk: Uint8Array): Uint8Array {
    this.bytes += chunk.length;
    if (this.bytes > this.sent.maxBytes) throw this.sent.tooLarge();
    this.#chunks.push(chunk);
    return chunk;
  }
}
