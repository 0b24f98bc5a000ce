/** Asks for the next item while the caller is busy with one. */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  const ask = () => {
    const asked = items.next();
    // Thrown where it is awaited.
    asked.catch(() => undefined);
    return asked;
  };
  let asked = ask();
  try {
    for (;;) {
      const item = await asked;
      if (item.done) return;
      asked = ask();
      yield item.value;
    }
  } finally {
    await items.return?.();
  }
}
