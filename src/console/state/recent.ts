const KEY = 'palette recent';
const KEPT = 12;

const isText = (value: unknown): value is string => typeof value === 'string';

/** People are never kept. */
export function recentKeys(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isText) : [];
  } catch {
    return [];
  }
}

export function keepRecent(key: string): void {
  try {
    const next = [key, ...recentKeys().filter((one) => one !== key)].slice(0, KEPT);
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage nothing is recent.
  }
}
