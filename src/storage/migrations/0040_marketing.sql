-- The publishing provider's profile of an app, made on first use.
CREATE TABLE social_profiles (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  -- Null until the profile is known to exist.
  publisher_username text,
  -- When the provider was last asked; an answer that was asked for earlier never overwrites.
  last_checked_at timestamptz
);

CREATE TABLE social_connections (
  app_id text NOT NULL REFERENCES social_profiles ON DELETE CASCADE,
  org_id text NOT NULL,
  platform text NOT NULL CHECK (platform IN ('photo_feed', 'short_video')),
  status text NOT NULL CHECK (status IN ('not_connected', 'connected')),
  handle text,
  display_name text,
  profile_image_url text,
  -- The provider keeps no such time: when we first saw the account, null while not connected.
  connected_at timestamptz,
  PRIMARY KEY (app_id, platform)
);

-- What outside providers said about their limits, shared by all processes.
CREATE TABLE provider_limits (
  provider text PRIMARY KEY,
  remaining integer NOT NULL,
  reset_at timestamptz NOT NULL
);
