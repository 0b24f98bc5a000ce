import { randomInt } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import { toIso } from '../../../shared/time.ts';
import type { Auth } from './auth.ts';
import { callAuth } from './auth-errors.ts';
import type { Organization } from './model.ts';

const SUFFIX_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const SUFFIX_LENGTH = 8;

/** A slug from a name, with a random end: slugs are unique over all organizations. */
export function slugFor(name: string): string {
  const base = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 30);
  const suffix = Array.from(
    { length: SUFFIX_LENGTH },
    () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)],
  ).join('');
  return `${base || 'org'}-${suffix}`;
}

export type NewOrganization = { name: string; slug?: string | undefined; ownerId: string };

/** Makes an organization with `ownerId` as its owner. Throws `slug_taken`. */
export async function createOrganization(
  auth: Auth,
  { name, slug, ownerId }: NewOrganization,
): Promise<Organization> {
  const made = await callAuth(() =>
    auth.api.createOrganization({ body: { name, slug: slug ?? slugFor(name), userId: ownerId } }),
  );
  if (!made) throw new AppError('internal', 'The organization was not made.');
  return { id: made.id, name: made.name, slug: made.slug, createdAt: toIso(made.createdAt) };
}
