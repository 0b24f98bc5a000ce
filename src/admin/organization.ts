import { Type } from '@sinclair/typebox';
import { listAllOrganizations } from '../modules/identity/index.ts';
import { AppError } from '../shared/errors.ts';
import type { Db } from '../storage/postgres.ts';

export const ORG = Type.String({ description: 'Id, slug or name of the organization' });

type Organization = Awaited<ReturnType<typeof listAllOrganizations>>[number];

const SUGGESTED = 5;

function distance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, compared] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === compared ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

const named = ({ slug, name }: Organization) => `${slug} (${name})`;

function nearest(all: readonly Organization[], given: string): string[] {
  return all
    .map((each) => ({
      each,
      far: Math.min(...[each.name, each.slug].map((name) => distance(name.toLowerCase(), given))),
    }))
    .toSorted((one, other) => one.far - other.far)
    .slice(0, SUGGESTED)
    .map(({ each }) => named(each));
}

/** Throws `not_found` with the nearest names. */
export async function findOrganization(db: Db, given: string): Promise<Organization> {
  const all = await listAllOrganizations(db);
  const wanted = given.toLowerCase();
  const byKey = all.find(({ id, slug }) => id === given || slug.toLowerCase() === wanted);
  if (byKey) return byKey;
  const byName = all.filter(({ name }) => name.toLowerCase() === wanted);
  const [only, ...others] = byName;
  if (only && others.length === 0) return only;
  if (only) {
    throw new AppError('not_found', `Several organizations are called "${given}".`, {
      hint: `Give the slug: ${byName.map(({ slug }) => slug).join(', ')}`,
    });
  }
  throw new AppError('not_found', `There is no organization "${given}".`, {
    hint:
      all.length === 0
        ? 'There is none yet: bun run admin bootstrap --org "My company" --email you@example.com'
        : `Nearest: ${nearest(all, wanted).join(', ')}. bun run admin organization list shows all.`,
  });
}
