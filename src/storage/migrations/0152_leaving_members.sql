-- Who left an organization gets nothing more of it. The target of a destination is sealed, so a row
-- names its reader; destinations of earlier releases name none and are looked at when they are used.
ALTER TABLE digest_destinations ADD COLUMN reader_user_id text;

-- In the transaction that ends the membership, whoever ends it. Posts go with their destination.
CREATE FUNCTION end_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM public.digest_destinations
  WHERE org_id = OLD."organizationId" AND reader_user_id = OLD."userId";
  UPDATE auth.invitation SET status = 'canceled'
  WHERE "organizationId" = OLD."organizationId" AND "inviterId" = OLD."userId"
    AND status = 'pending';
  RETURN NULL;
END $$;
CREATE TRIGGER member_ended AFTER DELETE ON auth.member
  FOR EACH ROW EXECUTE FUNCTION end_membership();

-- Who may invite nobody any more does not come back by an invitation of their own.
CREATE FUNCTION end_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE auth.invitation SET status = 'canceled'
  WHERE "organizationId" = NEW."organizationId" AND "inviterId" = NEW."userId"
    AND status = 'pending';
  RETURN NULL;
END $$;
CREATE TRIGGER member_demoted AFTER UPDATE OF role ON auth.member
  FOR EACH ROW WHEN (OLD.role IS DISTINCT FROM NEW.role AND NOT string_to_array(NEW.role, ',') && ARRAY['owner', 'admin'])
  EXECUTE FUNCTION end_invitations();
