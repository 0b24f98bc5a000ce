ALTER TABLE {table} MATERIALIZE COLUMN {name} SETTINGS mutations_sync = 2
