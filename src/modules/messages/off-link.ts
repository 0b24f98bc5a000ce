import { createHmac } from 'node:crypto';
import type { Deps, SystemContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { toPublicUrl } from '../../shared/own-origin.ts';
import { isSameSecret } from '../../shared/same-secret.ts';
import type { DestinationKind } from './destination.model.ts';
import { markGone } from './destinations-queries.ts';
import { ALL_OFF, type Ends, type OffQuery } from './model.ts';
import { saveMessageSettings, switchDigestsOff } from './queries.ts';

type Signing = Pick<Deps, 'identity'>;

function signEnds({ identity }: Signing, { org, what, destination }: Ends): string {
  // Older links stay valid.
  const text = `${what === 'digest' ? 'digests' : what}-off:${org}`;
  return createHmac('sha256', identity.signingSecret)
    .update(destination === undefined ? text : `${text}:${destination}`)
    .digest('base64url');
}

function offLink(deps: Signing & Pick<Deps, 'config'>, ends: Ends): string {
  const { org, what, destination } = ends;
  const query = new URLSearchParams({ org, token: signEnds(deps, ends) });
  if (what !== 'digest') query.set('what', what);
  if (destination !== undefined) query.set('destination', destination);
  return `${toPublicUrl(deps.config)}/v1/digests/off?${query}`;
}

export function linkFor(
  deps: Signing & Pick<Deps, 'config'>,
  { org, what }: Pick<Ends, 'org' | 'what'>,
  { kind, destinationId }: { kind: DestinationKind; destinationId: string },
): string {
  return offLink(deps, kind === 'mail' ? { org, what, destination: destinationId } : { org, what });
}

function openOffLink(deps: Signing, { org, token, what = 'digest', destination }: OffQuery): Ends {
  const ends = destination === undefined ? { org, what } : { org, what, destination };
  if (!isSameSecret(token, signEnds(deps, ends))) throw notFound();
  return ends;
}

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

async function end({ sql, clock }: Pick<Deps, 'clock' | 'sql'>, ends: Ends): Promise<void> {
  const { org: orgId, what, destination: destinationId } = ends;
  if (destinationId !== undefined) {
    const reader = { orgId, destinationId };
    await markGone(sql, reader, 'Its reader has ended it by the link in a message.');
  } else if (what === 'digest') await switchDigestsOff(sql, orgId, clock());
  else await saveMessageSettings(sql, orgId, ALL_OFF, clock());
}

/** By button, or one-click unsubscribe (RFC 8058). */
export async function endDigests(
  { deps }: SystemContext<'clock' | 'identity' | 'sql'>,
  query: OffQuery,
): Promise<string> {
  await end(deps, openOffLink(deps, query));
  return page('It is off', '<p>A member can switch it on again.</p>');
}
