-- When the session passed the second factor of its account. Such an account opens none without.
ALTER TABLE auth.session ADD COLUMN factor_at timestamptz;

CREATE FUNCTION auth.note_factor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT "twoFactorEnabled" FROM auth."user" WHERE id = NEW."userId") THEN
    NEW.factor_at := now();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER session_passed_factor BEFORE INSERT ON auth.session
  FOR EACH ROW EXECUTE FUNCTION auth.note_factor();

-- Whoever was signed in before gave no code.
CREATE FUNCTION auth.end_sessions_without_factor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM auth.session WHERE "userId" = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER factor_turned_on AFTER UPDATE OF "twoFactorEnabled" ON auth."user"
  FOR EACH ROW WHEN (NEW."twoFactorEnabled" AND OLD."twoFactorEnabled" IS NOT TRUE)
  EXECUTE FUNCTION auth.end_sessions_without_factor();

DELETE FROM auth.session s USING auth."user" u
WHERE u.id = s."userId" AND u."twoFactorEnabled" AND s.provider_org_id IS NULL;
