-- Orders are read again: phases, charges and refunds of them were not kept.
UPDATE play_purchases SET priced_orders = '{}' WHERE ask_at IS NOT NULL;
