-- OpenID Connect provider by which members of an organization sign in.
CREATE TABLE identity_providers (
  org_id text PRIMARY KEY,
  issuer text NOT NULL,
  client_id text NOT NULL,
  sealed_client_secret text NOT NULL,
  domains text[] NOT NULL,
  groups_claim text NOT NULL,
  -- [{"group", "role"}]
  roles jsonb NOT NULL,
  -- Null: whoever is in none of the groups is refused.
  role_without_group text,
  is_only_way boolean NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Stays when the provider goes: the same person of the same issuer is the same account.
CREATE TABLE identity_links (
  org_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE,
  linked_at timestamptz NOT NULL,
  -- Of the newest sign-in; null: the issuer gave none, or took it back.
  sealed_refresh_token text,
  -- When the issuer last said that the person belongs to it.
  checked_at timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  -- Since when it says otherwise, or is asked no more.
  ended_at timestamptz,
  PRIMARY KEY (org_id, issuer, subject),
  UNIQUE (org_id, issuer, user_id)
);
CREATE INDEX identity_links_due ON identity_links (tried_at)
  WHERE sealed_refresh_token IS NOT NULL;
CREATE INDEX identity_links_of_user ON identity_links (user_id);

-- Null: by password. Else it opens this organization and no other.
ALTER TABLE auth.session ADD COLUMN provider_org_id text, ADD COLUMN provider_sid text;
CREATE INDEX session_of_provider ON auth.session (provider_org_id)
  WHERE provider_org_id IS NOT NULL;

CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON identity_providers
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
CREATE TRIGGER audit_change AFTER INSERT OR DELETE ON identity_links
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
