-- Folds have another format: the worker makes them anew before somebody asks.
UPDATE purchase_chains SET folded_revision = 0;
