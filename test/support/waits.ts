/** Counts a wait for `bun run test --times` (`scripts/test/measure.ts`) until the end is called. */
export function beginWait(kind: string): () => void {
  const waits: unknown = Reflect.get(globalThis, Symbol.for('test waits'));
  if (typeof waits !== 'object' || waits === null) return () => undefined;
  return Reflect.apply(Reflect.get(waits, 'begin'), waits, [kind]);
}
