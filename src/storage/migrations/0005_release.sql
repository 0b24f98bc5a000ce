-- Payloads of workflows name their key, mailed secrets are hashes, event files have an environment:
-- the release before reads none of it.
UPDATE installation SET min_release = greatest(min_release, 2);
