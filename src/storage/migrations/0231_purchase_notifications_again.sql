-- Renewal information that repeated what was signed before it was left out, so that something else
-- signed in between and delivered later stood as the last word. What notifications still hold is
-- read once more.
UPDATE purchase_notifications SET signed_kept_at = NULL WHERE applied_at IS NOT NULL;
