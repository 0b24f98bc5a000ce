-- Whom an owner removed and who erased the account since: by the address, which nobody reads here.
CREATE TABLE barred_addresses (
  org_id text NOT NULL REFERENCES auth.organization ("id") ON DELETE CASCADE,
  address_hash text NOT NULL,
  barred_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, address_hash)
);

CREATE FUNCTION barred_address_hash(org_id text, address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(org_id || ' ' || lower(address), 'UTF8')), 'hex')
$$;

CREATE OR REPLACE FUNCTION end_bar() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM public.barred_members
  WHERE org_id = NEW."organizationId" AND user_id = NEW."userId";
  DELETE FROM public.barred_addresses b USING auth."user" u
  WHERE b.org_id = NEW."organizationId" AND u.id = NEW."userId"
    AND b.address_hash = public.barred_address_hash(b.org_id, coalesce(u.company_email, u.email));
  RETURN NULL;
END $$;
