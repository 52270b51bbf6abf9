-- Places behind a text and letters that mean nothing, in regular expressions.
-- Errors have the same number and text.
select regexp_instr('abc', 'a', 9), regexp_instr('abc', 'a', 0), regexp_instr('abc', 'c', 1, 1, 5), regexp_instr('abc', 'b', 1, 1, 1);
select regexp_substr('abc', 'a', 9), regexp_substr('abc', 'a', 0);
select regexp_replace('', 'a', 'x', 9), regexp_replace('abc', 'c', 'x', 3);
select regexp_replace('abc', 'a', 'x', 0);
select regexp_replace('abc', 'a', 'x', 9);
select regexp_like('abc', 'b', 'q');
select regexp_instr('abc', 'b', 1, 1, 0, 'q');
select regexp_substr('abc', 'b', 1, 1, 'q');
select regexp_replace('abc', 'b', 'x', 1, 0, 'q');
select regexp_like('a', '(');
select 'a' regexp '[';
select 'abc' regexp 'b{';
