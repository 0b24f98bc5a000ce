-- The batches when of_devices was written; a release before it counts on and leaves both.
ALTER TABLE event_rejections ADD COLUMN told_batches bigint;
