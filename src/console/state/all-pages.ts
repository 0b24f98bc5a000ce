export type ListPage<T> = { people: readonly T[]; nextCursor: string | null };

export type PageQuery = { cursor?: string; limit: number };

/** The most that routes give at once. */
const LIMIT = 1_000;

export async function readAllPages<T>(
  fetchPage: (query: PageQuery) => Promise<ListPage<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const page: ListPage<T> = await fetchPage({ limit: LIMIT, ...(cursor && { cursor }) });
    all.push(...page.people);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}
