ALTER TABLE {table} ADD COLUMN {name} {type} MATERIALIZED {value}
