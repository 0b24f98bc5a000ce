import type postgres from 'postgres';

type Statement = { reject: (error: unknown) => void };

const isStatement = (made: object): made is Statement => 'reject' in made;

/** The driver's iterator takes a connection that closes between two pages for the end. */
export async function* readPages<T extends object>(
  rows: postgres.PendingQuery<T[]>,
  size: number,
): AsyncGenerator<T[]> {
  const pages = rows.cursor(size)[Symbol.asyncIterator]();
  const failures: unknown[] = [];
  let isEnded = false;
  try {
    for (;;) {
      const asked = pages.next();
      if (isStatement(rows)) {
        const { reject } = rows;
        rows.reject = (error) => {
          failures.push(error);
          reject(error);
        };
      }
      const page = await asked;
      isEnded = page.done === true;
      if (failures.length > 0) throw failures[0];
      if (page.done) return;
      yield page.value;
    }
  } finally {
    if (!isEnded && failures.length === 0) await pages.return?.();
  }
}
