-- Ids of people and of devices are one space. What an erased id hides: the events of that person, those
-- that a device of that id sent without a user, or both.
ALTER TABLE event_erasures ADD COLUMN erased_as text NOT NULL DEFAULT 'both'
  CHECK (erased_as IN ('both', 'person', 'device'));
