-- Column names of better-auth's plugin; recovery codes are sealed, as their column says.
ALTER TABLE auth."user" ADD COLUMN "twoFactorEnabled" boolean;
CREATE TABLE auth."twoFactor" (
  "id" text NOT NULL PRIMARY KEY,
  "secret" text NOT NULL,
  "sealedRecoveryCodes" text NOT NULL,
  "userId" text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
CREATE INDEX "twoFactor_secret_idx" ON auth."twoFactor" ("secret");
CREATE INDEX "twoFactor_userId_idx" ON auth."twoFactor" ("userId");

-- A code opens once (RFC 6238, 5.2).
CREATE TABLE auth.used_code (
  user_id text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE,
  code_hash text NOT NULL,
  used_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE organization_security (
  org_id text PRIMARY KEY,
  second_factor_required boolean NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON auth."twoFactor"
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON organization_security
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
