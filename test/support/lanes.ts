/** Works through drawn cases with some of them at once; a failure names its case. */
export async function inLanes<T>(
  drawn: readonly T[],
  check: (one: T, index: number) => Promise<void>,
): Promise<void> {
  const left = drawn.entries();
  const lane = async () => {
    for (const [index, one] of left) {
      await check(one, index).catch((cause) => {
        throw new Error(`Case ${index}: ${JSON.stringify(one)}`, { cause });
      });
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
}
