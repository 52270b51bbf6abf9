show collation like 'latin1%';
show collation where `Charset` = 'utf8mb4' and `Id` in (255, 45);
show character set like 'utf8%';
