-- Up to when everything that any host accepted is in what was published last.
ALTER TABLE lake_publisher ADD COLUMN data_through timestamptz;
