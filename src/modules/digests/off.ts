import type { SystemContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { switchMessagesOff } from '../messages/index.ts';
import type { Ends, OffQuery } from './model.ts';
import { isOffToken } from './off-link.ts';
import { markGone, switchOff } from './queries.ts';

const WHAT: Readonly<Record<Ends['what'], string>> = {
  digest: 'the morning digest of the whole organization',
  messages: 'messages at once for the whole organization',
};

/** Throws `not_found` for every link but ours. */
function endsOf(
  deps: Parameters<typeof isOffToken>[0],
  { org, token, what = 'digest', destination }: OffQuery,
): Ends {
  const ends = destination === undefined ? { org, what } : { org, what, destination };
  if (!isOffToken(deps, ends, token)) throw notFound();
  return ends;
}

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;

/**
 * What the link shows. It changes nothing: scanners of mail and previews of chats follow links, and
 * nobody has asked for an end then.
 */
export async function showOffPage(
  { deps }: SystemContext<'identity'>,
  query: OffQuery,
): Promise<string> {
  const { what, destination } = endsOf(deps, query);
  const scope = destination === undefined ? WHAT[what] : 'everything that is sent to this address';
  const form = `<p>This ends ${scope}. A member can switch it on again.</p>
<form method="post"><button type="submit">End it</button></form>`;
  return page('No more of these?', form);
}

/** What the button of the page does, and the one-click unsubscribe of mail programs (RFC 8058). */
export async function endDigests(
  { deps }: SystemContext<'clock' | 'identity' | 'sql'>,
  query: OffQuery,
): Promise<string> {
  const { org, what, destination } = endsOf(deps, query);
  const at = deps.clock();
  if (destination !== undefined) {
    const reader = { orgId: org, destinationId: destination };
    await markGone(deps.sql, reader, 'Its reader has ended it by the link in a message.');
  } else if (what === 'digest') {
    await switchOff(deps.sql, org, at);
  } else {
    await switchMessagesOff(deps.sql, org, at);
  }
  return page('It is off', '<p>A member can switch it on again.</p>');
}
