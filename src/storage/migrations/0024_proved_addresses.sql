-- Secrets that are mailed or handed out are kept as hashes only; those that are open stay valid.

-- The encoding is better-auth's: base64url of SHA-256 of the whole identifier, without padding.
UPDATE auth."verification"
SET "identifier" = rtrim(
  translate(encode(sha256(convert_to("identifier", 'UTF8')), 'base64'), '+/', '-_'), '=')
WHERE "identifier" LIKE 'reset-password:%';

-- Null on rows that the previous release writes meanwhile; there the id is the secret.
ALTER TABLE auth."invitation" ADD COLUMN secret_hash bytea;
-- True when the secret was sent to the invited address and shown to nobody else.
ALTER TABLE auth."invitation" ADD COLUMN secret_mailed boolean NOT NULL DEFAULT false;

UPDATE auth."invitation"
SET secret_hash = sha256(convert_to("id", 'UTF8')), "id" = gen_random_uuid()::text
WHERE "status" = 'pending';

CREATE UNIQUE INDEX invitation_secret ON auth."invitation" (secret_hash);
CREATE INDEX invitation_inviter ON auth."invitation" ("inviterId", "createdAt");

-- Until today no account had to prove its address; those that are there are taken as they are.
UPDATE auth."user" SET "emailVerified" = true WHERE NOT "emailVerified";
