-- Organizations that `bun run demo` made, so that it never takes another one for its own.
CREATE TABLE demo_organizations (
  org_id text PRIMARY KEY,
  -- The account that was made with it, and goes with it.
  user_id text NOT NULL,
  -- host:port of the demo's own listener, to which webhooks of this organization alone may go.
  listener text,
  made_at timestamptz NOT NULL
);
