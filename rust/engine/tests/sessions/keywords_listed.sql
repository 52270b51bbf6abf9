-- Types and texts are the same.
-- Keywords come in an order that has the underscore before letters, and at the end a word that is none.
select word, reserved from information_schema.keywords;
