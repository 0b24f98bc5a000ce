import { AppError } from '../shared/errors.ts';

const MEGABYTE = 1024 * 1024;

export type WaitingBody = {
  /** Throws `unavailable`; does nothing after `release`. */
  hold: (bytes: number) => void;
  release: () => void;
};

/** Memory of bodies without a known key. */
export class WaitingBodies {
  readonly #bySender = new Map<string, number>();
  #bytes = 0;

  constructor(private readonly max = { bytes: 64 * MEGABYTE, bytesOfSender: 16 * MEGABYTE }) {}

  open(sender: string): WaitingBody {
    let held = 0;
    let isOpen = true;
    return {
      hold: (bytes) => {
        if (!isOpen) return;
        this.#take(sender, bytes);
        held += bytes;
      },
      release: () => {
        if (isOpen) this.#take(sender, -held);
        isOpen = false;
      },
    };
  }

  async during<T>(sender: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const held = this.open(sender);
    held.hold(bytes);
    try {
      return await work();
    } finally {
      held.release();
    }
  }

  #take(sender: string, bytes: number): void {
    const ofSender = (this.#bySender.get(sender) ?? 0) + bytes;
    const isFull = this.#bytes + bytes > this.max.bytes || ofSender > this.max.bytesOfSender;
    if (bytes > 0 && isFull) {
      throw new AppError('unavailable', 'Too many batches wait to be read; try again.');
    }
    this.#bytes += bytes;
    if (ofSender === 0) this.#bySender.delete(sender);
    else this.#bySender.set(sender, ofSender);
  }
}

export const waiting = new WaitingBodies();
