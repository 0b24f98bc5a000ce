/** A wait for which nothing can be looked at: `why` says what the time is for. */
export async function pause(ms: number, why: string): Promise<void> {
  if (why === '') throw new Error('Say why nothing can be waited for.');
  await Bun.sleep(ms);
}

/** Everything that is ready to run has run. */
export const nextTurn = () => Bun.sleep(0);
