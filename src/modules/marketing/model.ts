import { type Static, Type } from '@sinclair/typebox';
import { PUBLISHER_PLATFORMS } from '../../providers/publisher/port.ts';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';

export const Platform = OneOf(PUBLISHER_PLATFORMS);

const NullableText = Nullable(Type.String());

export const SocialConnection = Named('SocialConnection', {
  status: OneOf(['not_connected', 'connected']),
  handle: NullableText,
  displayName: NullableText,
  profileImageUrl: NullableText,
  connectedAt: Nullable(DateTime),
});
export type SocialConnection = Static<typeof SocialConnection>;

export const SocialConnections = Named('SocialConnections', {
  appId: Type.String(),
  photo_feed: SocialConnection,
  short_video: SocialConnection,
  lastCheckedAt: Nullable(DateTime),
  publisherUsername: NullableText,
});
export type SocialConnections = Static<typeof SocialConnections>;

export const ConnectPage = Named('ConnectPage', {
  accessUrl: Type.String({ description: 'A hosted page, for one use, to connect the platform on' }),
});
export type ConnectPage = Static<typeof ConnectPage>;
