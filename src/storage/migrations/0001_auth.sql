-- Accounts, sessions, organizations and organization keys. Everything down to the line "Ours" is
-- what getMigrations() of better-auth 1.7.5 printed for src/modules/identity/organizations/auth.ts; a test
-- fails when the library wants more. Column names are the library's.
CREATE SCHEMA IF NOT EXISTS auth;

CREATE TABLE auth."user" (
  "id" text NOT NULL PRIMARY KEY,
  "name" text NOT NULL,
  "email" text NOT NULL UNIQUE,
  "emailVerified" boolean NOT NULL,
  "image" text,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE auth."session" (
  "id" text NOT NULL PRIMARY KEY,
  "expiresAt" timestamptz NOT NULL,
  "token" text NOT NULL UNIQUE,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL,
  "ipAddress" text,
  "userAgent" text,
  "userId" text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE,
  "activeOrganizationId" text
);

CREATE TABLE auth."account" (
  "id" text NOT NULL PRIMARY KEY,
  "accountId" text NOT NULL,
  "providerId" text NOT NULL,
  "userId" text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL
);

CREATE TABLE auth."verification" (
  "id" text NOT NULL PRIMARY KEY,
  "identifier" text NOT NULL,
  "value" text NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE auth."organization" (
  "id" text NOT NULL PRIMARY KEY,
  "name" text NOT NULL,
  "slug" text NOT NULL UNIQUE,
  "logo" text,
  "createdAt" timestamptz NOT NULL,
  "metadata" text
);

CREATE TABLE auth."member" (
  "id" text NOT NULL PRIMARY KEY,
  "organizationId" text NOT NULL REFERENCES auth."organization" ("id") ON DELETE CASCADE,
  "userId" text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE,
  "role" text NOT NULL,
  "createdAt" timestamptz NOT NULL
);

CREATE TABLE auth."invitation" (
  "id" text NOT NULL PRIMARY KEY,
  "organizationId" text NOT NULL REFERENCES auth."organization" ("id") ON DELETE CASCADE,
  "email" text NOT NULL,
  "role" text,
  "status" text NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "inviterId" text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE
);

CREATE TABLE auth."apikey" (
  "id" text NOT NULL PRIMARY KEY,
  "configId" text NOT NULL,
  "name" text,
  "start" text,
  "referenceId" text NOT NULL,
  "prefix" text,
  "key" text NOT NULL,
  "refillInterval" integer,
  "refillAmount" integer,
  "lastRefillAt" timestamptz,
  "enabled" boolean,
  "rateLimitEnabled" boolean,
  "rateLimitTimeWindow" integer,
  "rateLimitMax" integer,
  "requestCount" integer,
  "remaining" integer,
  "lastRequest" timestamptz,
  "expiresAt" timestamptz,
  "createdAt" timestamptz NOT NULL,
  "updatedAt" timestamptz NOT NULL,
  "permissions" text,
  "metadata" text
);

CREATE INDEX "session_userId_idx" ON auth."session" ("userId");
CREATE INDEX "account_userId_idx" ON auth."account" ("userId");
CREATE INDEX "verification_identifier_idx" ON auth."verification" ("identifier");
CREATE INDEX "member_organizationId_idx" ON auth."member" ("organizationId");
CREATE INDEX "member_userId_idx" ON auth."member" ("userId");
CREATE INDEX "invitation_organizationId_idx" ON auth."invitation" ("organizationId");
CREATE INDEX "invitation_email_idx" ON auth."invitation" ("email");
CREATE INDEX "apikey_configId_idx" ON auth."apikey" ("configId");
CREATE INDEX "apikey_referenceId_idx" ON auth."apikey" ("referenceId");
CREATE INDEX "apikey_key_idx" ON auth."apikey" ("key");

-- Ours. Accepting an invitation twice at once must not make two memberships.
CREATE UNIQUE INDEX member_once_per_organization ON auth."member" ("organizationId", "userId");

-- Every key here belongs to an organization and dies with it.
ALTER TABLE auth."apikey" ADD CONSTRAINT apikey_organization
  FOREIGN KEY ("referenceId") REFERENCES auth."organization" ("id") ON DELETE CASCADE;

-- The library counts owners and then acts, so two owners who leave at once would both pass. The
-- row lock makes the second one wait and see what the first one did.
CREATE FUNCTION auth.keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM auth."organization" WHERE "id" = OLD."organizationId" FOR UPDATE;
  IF FOUND AND NOT EXISTS (
    SELECT 1 FROM auth."member"
    WHERE "organizationId" = OLD."organizationId" AND 'owner' = ANY (string_to_array("role", ','))
  ) THEN
    RAISE EXCEPTION 'organization % would have no owner', OLD."organizationId"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'organization_keeps_an_owner';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER organization_keeps_an_owner
  AFTER UPDATE OR DELETE ON auth."member"
  FOR EACH ROW WHEN ('owner' = ANY (string_to_array(OLD."role", ',')))
  EXECUTE FUNCTION auth.keep_an_owner();
