-- What is true of this installation as a whole: one row, made with the schema.
CREATE TABLE installation (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The oldest release that reads this data; an older process refuses to start.
  min_release integer NOT NULL DEFAULT 1,
  -- When payloads of workflows began to be encrypted; null while they never were.
  payloads_encrypted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO installation DEFAULT VALUES;
