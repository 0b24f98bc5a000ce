-- Who made an organization key and when it was last used; null where nobody knows any more.
ALTER TABLE auth."apikey" ADD COLUMN created_by text;
ALTER TABLE auth."apikey" ADD COLUMN last_used_at timestamptz;
