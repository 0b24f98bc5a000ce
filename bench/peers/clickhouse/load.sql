INSERT INTO {table} SELECT * FROM {parquet} SETTINGS max_threads = 2, max_insert_threads = 1
