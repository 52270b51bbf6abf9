-- A lock that was released is told from one that there never was.
-- Errors have the same number and text.
select release_lock('a'), is_free_lock('a'), is_used_lock('a');
select get_lock('a', 0), get_lock('a', 0);
select release_lock('a'), release_lock('a'), release_lock('a'), release_lock('never');
select is_free_lock('a'), is_used_lock('a');
select get_lock('b', 0), get_lock('c', 0), get_lock('c', 0);
@b: select get_lock('b', 0), is_free_lock('b'), release_lock('b'), release_all_locks();
select release_all_locks();
select release_all_locks();
@b: select get_lock('b', 0);
select release_lock('b'), release_lock('c'), is_free_lock('c');
select get_lock('Case', 0);
select is_free_lock('CASE'), is_free_lock('Case'), release_lock('CASE'), release_lock('Case');
select get_lock(null, 0), get_lock('x', null), release_lock(null), is_free_lock(null);
select get_lock(repeat('x', 70), 0);
select get_lock(x'61', 0), is_free_lock('a'), release_lock('a');
select get_lock(1, 0);
select get_lock('q', 'abc');
select get_lock('q', '1'), get_lock('q', -1);
select release_lock(5);
select is_free_lock(1.5);
