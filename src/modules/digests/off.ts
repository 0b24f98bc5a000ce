import type { SystemContext } from '../../context.ts';
import { endPosts, type OffQuery, openOffLink } from '../messages/index.ts';
import { switchOff } from './queries.ts';

const SCOPES = {
  digest: 'the morning digest of the whole organization',
  messages: 'messages at once for the whole organization',
};

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;

export async function showOffPage(
  { deps }: SystemContext<'identity'>,
  query: OffQuery,
): Promise<string> {
  const { what, destination } = openOffLink(deps, query);
  const scope =
    destination === undefined ? SCOPES[what] : 'everything that is sent to this address';
  const form = `<p>This ends ${scope}. A member can switch it on again.</p>
<form method="post"><button type="submit">End it</button></form>`;
  return page('No more of these?', form);
}

/** By button, or one-click unsubscribe (RFC 8058). */
export async function endDigests(
  { deps }: SystemContext<'clock' | 'identity' | 'sql'>,
  query: OffQuery,
): Promise<string> {
  const ends = openOffLink(deps, query);
  const isDigest = ends.destination === undefined && ends.what === 'digest';
  if (isDigest) await switchOff(deps.sql, ends.org, deps.clock());
  else await endPosts(deps, ends);
  return page('It is off', '<p>A member can switch it on again.</p>');
}
