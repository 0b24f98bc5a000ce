-- Whom an owner removed: a provider alone does not bring them back.
CREATE TABLE barred_members (
  org_id text NOT NULL REFERENCES auth.organization ("id") ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES auth."user" ("id") ON DELETE CASCADE,
  barred_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, user_id)
);
CREATE INDEX barred_members_of_user ON barred_members (user_id);

-- The sign-in by the provider ends with the membership, whoever ends it.
CREATE FUNCTION end_company_sign_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE public.identity_links
  SET sealed_refresh_token = NULL, ended_at = coalesce(ended_at, now())
  WHERE org_id = OLD."organizationId" AND user_id = OLD."userId";
  DELETE FROM auth.session
  WHERE provider_org_id = OLD."organizationId" AND "userId" = OLD."userId";
  RETURN NULL;
END $$;
CREATE TRIGGER member_ended_company AFTER DELETE ON auth.member
  FOR EACH ROW EXECUTE FUNCTION end_company_sign_in();

CREATE FUNCTION end_bar() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM public.barred_members
  WHERE org_id = NEW."organizationId" AND user_id = NEW."userId";
  RETURN NULL;
END $$;
CREATE TRIGGER member_is_back AFTER INSERT ON auth.member
  FOR EACH ROW EXECUTE FUNCTION end_bar();
