-- Erasures up to this number have no row in the file; its aliases may be older (people_seq).
ALTER TABLE event_files ADD COLUMN erased_seq bigint NOT NULL DEFAULT 0;
