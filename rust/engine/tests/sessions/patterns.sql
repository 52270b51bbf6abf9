-- Sets within sets, what is called a class, code points, counts.
select 'a' regexp '[[a-c]&&[b-d]]', 'b' regexp '[[a-c]&&[b-d]]', 'b' regexp '[a-c&&b-d]', 'b' regexp '[[abc]--[b]]', 'z' regexp '[[a-c][x-z]]', 'z' regexp '[^[a-c][x-z]]';
select 'b' regexp '[a-c&&[^b]]', 'a' regexp '[a-c&&[^b]]', 'b' regexp '[a-c--b]', 'a' regexp '[a-c&b]', '&' regexp '[a-c&b]', 'd' regexp '[[:alpha:]--[a-c]]', 'c' regexp '[\\p{L}&&[a-c]]', 'a' regexp '[[:^alpha:]]';
select '\t' regexp '\\h', '\n' regexp '\\v', 'a' regexp '\\H', 'a' regexp '\\V', '😀' regexp '\\x{1F600}', 'é' regexp '\\u00e9', 'a' regexp '\\0141', 'a' regexp '\\U00000061';
select 'é' regexp '^\\p{L}+$', 'я' regexp '\\p{Cyrillic}', 'α' regexp '[\\p{Greek}]', 'A' regexp '(?i)^a$', 'a\nb' regexp '(?s)a.b', 'a]' regexp '^a]$', 'a.b' regexp '\\Qa.b\\E', 'ab' regexp 'a(?#comment)b';
select 'a' regexp 'a{3,2}';
select 'a' regexp 'a{1}{2}';
select 'a' regexp '[[:nothing:]]';
select 'a' regexp '[z-a]';
select regexp_replace('abc', '(?<n>b)', '<${n}>'), regexp_replace('aaa', 'a', 'b', 1, -1), regexp_replace('', 'a*', '-'), regexp_replace('abab', '(a)(?<n>b)', '${n}$1', 1, 2);
