-- Ids in the batch of the example; null of rows that an earlier release writes.
ALTER TABLE event_rejections ADD COLUMN people text[];
