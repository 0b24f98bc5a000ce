-- Calls to customers' addresses and stores that are under way; deletions wait for them.
CREATE TABLE outgoing_calls (
  call_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  org_id text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outgoing_calls_of_organization ON outgoing_calls (org_id);
