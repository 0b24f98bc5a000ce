export const personPath = (appId: string, personId: string): string =>
  `/apps/${appId}/people/${encodeURIComponent(personId)}`;

/** An id that opens its person. */
export function PersonLink({ appId, personId }: { appId: string; personId: string }) {
  return <a href={personPath(appId, personId)}>{personId}</a>;
}
