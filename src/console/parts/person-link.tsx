import { visible } from '../visible.ts';

/** The id stands in the query: browsers resolve `..` in a path. */
export const personPath = (appId: string, personId: string): string =>
  `/apps/${appId}/people/by-id?${new URLSearchParams({ id: personId })}`;

/** An id that opens its person. */
export function PersonLink({ appId, personId }: { appId: string; personId: string }) {
  return <a href={personPath(appId, personId)}>{visible(personId)}</a>;
}
