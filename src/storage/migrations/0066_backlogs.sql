-- For the metrics: a look at the newest or the failed ones must not read all.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (created_at) WHERE status = 'failed';
CREATE INDEX event_segments_compacted ON event_segments (compacted_at);
