import { MINUTE_MS, SECOND_MS, toIso } from './time.ts';

const digits = (count: number, end: string): string[] =>
  Array.from({ length: 10 ** count }, (_, number) => String(number).padStart(count, '0') + end);
const [SECONDS, MILLISECONDS] = [digits(2, '.'), digits(3, 'Z')];
let last = { minute: Number.NaN, text: '' };

/** Faster for times close together. Throws `RangeError` for no time. */
export function msToIso(ms: number): string {
  const whole = Math.trunc(ms);
  const minute = Math.floor(whole / MINUTE_MS);
  if (minute !== last.minute) {
    last = { minute, text: toIso(new Date(minute * MINUTE_MS)).slice(0, -'00.000Z'.length) };
  }
  const rest = whole - minute * MINUTE_MS;
  const second = Math.floor(rest / SECOND_MS);
  return `${last.text}${SECONDS[second]}${MILLISECONDS[rest - second * SECOND_MS]}`;
}
