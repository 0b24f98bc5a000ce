-- Who made an organization, whoever owns it now: its questions count as theirs.
ALTER TABLE auth.organization ADD COLUMN made_by text;
CREATE INDEX organization_of_maker ON auth.organization (made_by);

UPDATE auth.organization SET made_by = (
  SELECT "userId" FROM auth.member
  WHERE "organizationId" = organization.id ORDER BY "createdAt", member.id LIMIT 1
);

CREATE FUNCTION auth.note_maker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE auth.organization SET made_by = NEW."userId"
  WHERE id = NEW."organizationId" AND made_by IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER member_made_organization AFTER INSERT ON auth.member
  FOR EACH ROW EXECUTE FUNCTION auth.note_maker();
