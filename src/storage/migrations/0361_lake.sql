-- The published lake. Catalogue tables in the layout of Iceberg's JDBC catalogue, which Spark and
-- Trino read directly; whoever reads them so gets SELECT on these two and nothing else.
CREATE TABLE iceberg_tables (
  catalog_name varchar(255) NOT NULL,
  table_namespace varchar(255) NOT NULL,
  table_name varchar(255) NOT NULL,
  metadata_location varchar(1000),
  previous_metadata_location varchar(1000),
  iceberg_type varchar(5),
  PRIMARY KEY (catalog_name, table_namespace, table_name)
);
CREATE TABLE iceberg_namespace_properties (
  catalog_name varchar(255) NOT NULL,
  namespace varchar(255) NOT NULL,
  property_key varchar(255) NOT NULL,
  property_value varchar(1000),
  PRIMARY KEY (catalog_name, namespace, property_key)
);

-- One row, locked by the transaction that publishes or sweeps.
CREATE TABLE lake_publisher (
  id integer PRIMARY KEY CHECK (id = 1),
  published_at timestamptz
);
INSERT INTO lake_publisher (id) VALUES (1);

-- Each table as it was published last. Names of objects are those of the object store.
CREATE TABLE lake_tables (
  table_name text PRIMARY KEY,
  uuid uuid NOT NULL,
  -- Its columns, partition specs and order, as JSON.
  definition text NOT NULL,
  base_uri text NOT NULL,
  metadata text NOT NULL,
  version integer NOT NULL,
  sequence_number bigint NOT NULL,
  snapshot_id bigint NOT NULL,
  updated_ms bigint NOT NULL,
  -- What of the rows' origin tells whether they changed.
  source text NOT NULL,
  metadata_log text NOT NULL
);

-- The files of the current snapshots; stats and partition are JSON.
CREATE TABLE lake_files (
  table_name text NOT NULL,
  path text NOT NULL,
  spec_id integer NOT NULL,
  partition text NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  stats text NOT NULL,
  manifest text NOT NULL,
  -- Of the snapshot that brought it.
  snapshot_id bigint NOT NULL,
  sequence_number bigint NOT NULL,
  PRIMARY KEY (table_name, path)
);
CREATE INDEX lake_files_manifest ON lake_files (table_name, manifest);

-- The manifests of the current snapshots.
CREATE TABLE lake_manifests (
  path text PRIMARY KEY,
  table_name text NOT NULL,
  spec_id integer NOT NULL,
  bytes bigint NOT NULL,
  snapshot_id bigint NOT NULL,
  sequence_number bigint NOT NULL,
  min_sequence_number bigint NOT NULL,
  added_files integer NOT NULL,
  added_rows bigint NOT NULL,
  existing_files integer NOT NULL,
  existing_rows bigint NOT NULL,
  deleted_files integer NOT NULL,
  deleted_rows bigint NOT NULL,
  partitions text NOT NULL
);
CREATE INDEX lake_manifests_table ON lake_manifests (table_name);

-- Snapshots that may still be read, with the names of all objects that they need.
CREATE TABLE lake_snapshots (
  table_name text NOT NULL,
  snapshot_id bigint NOT NULL,
  parent_id bigint,
  sequence_number bigint NOT NULL,
  timestamp_ms bigint NOT NULL,
  manifest_list text NOT NULL,
  summary text NOT NULL,
  manifests text[] NOT NULL,
  -- Empty for event files, which leases keep.
  files text[] NOT NULL,
  PRIMARY KEY (table_name, snapshot_id)
);
