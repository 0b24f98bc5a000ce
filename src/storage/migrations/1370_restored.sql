-- The backup that was put back, of which installation, and what became of those erased since.
ALTER TABLE installation
  ADD COLUMN restored_from timestamptz,
  ADD COLUMN restored_id uuid,
  ADD COLUMN erased_since text CHECK (erased_since IN ('waiting', 'again', 'accepted'));
