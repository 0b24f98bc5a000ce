import { createTurns } from './turns.ts';

const TURN_MS = 10;
const LOOK_MS = 50;

export type Turning = { turn: () => Promise<void> };

/** Yields within long loops and ends them past the timeout. */
export class Pace implements Turning {
  readonly #checkTime: () => void;
  readonly #turns = createTurns(TURN_MS);

  constructor(checkTime: () => void) {
    this.#checkTime = checkTime;
  }

  async turn(): Promise<void> {
    if (!this.#turns.isOver()) return;
    this.#checkTime();
    await this.#turns.next();
    this.#checkTime();
  }
}

export async function withinTime<T>(work: Promise<T>, checkTime: () => void): Promise<T> {
  const late = Promise.withResolvers<never>();
  const look = () => {
    try {
      checkTime();
    } catch (thrown) {
      late.reject(thrown);
    }
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearInterval(timer);
  }
}
