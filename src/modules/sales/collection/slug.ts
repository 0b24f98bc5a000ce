const SLUG_MAX = 40;
const SLUG = /^[a-z][a-z0-9-]*[a-z0-9]$/;

/** A slug made of any text; null when too little is left. */
function slugFrom(words: string): string | null {
  const slug = words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, SLUG_MAX)
    .replace(/-+$/, '');
  return slug.length >= 3 && SLUG.test(slug) ? slug : null;
}

/** Slugs to try for an imported app: by its name, else its bundle id, else something random. */
export function* slugCandidates(name: string, bundleId: string): Generator<string> {
  const first =
    slugFrom(name) ??
    slugFrom(bundleId.split('.').at(-1) ?? '') ??
    slugFrom(bundleId) ??
    `app-${crypto.randomUUID().slice(0, 8)}`;
  yield first;
  for (let number = 2; number < 100; number += 1) {
    const suffix = `-${number}`;
    yield `${first.slice(0, SLUG_MAX - suffix.length).replace(/-+$/, '')}${suffix}`;
  }
  yield `app-${crypto.randomUUID().slice(0, 8)}`;
}
