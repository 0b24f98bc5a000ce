-- Views of the console that its people keep on an app's first page: [{"title", "page", "query"}].
ALTER TABLE apps ADD COLUMN pinned_views jsonb NOT NULL DEFAULT '[]';
