-- Whether people are the senders' devices, for batches without a user; null before.
ALTER TABLE event_rejections ADD COLUMN of_devices boolean;
