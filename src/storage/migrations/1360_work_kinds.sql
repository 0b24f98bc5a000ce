-- When each kind of work of the workers last succeeded, and since when it waits for what; one row for
-- each activity, of all organizations.
CREATE TABLE work_kinds (
  kind text PRIMARY KEY,
  succeeded_at timestamptz,
  failing_since timestamptz,
  failed_at timestamptz,
  waits_for text
);
