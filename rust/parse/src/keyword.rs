//! Keywords: MySQL 8.0.31's 747 as `information_schema.keywords` lists them, and a few words of our own grammar.

/// How freely a word may be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Only in quotes, behind a point, or as a function name.
    Reserved,
    Plain,
    /// Not in `information_schema.keywords`, never reserved.
    Extra,
}

macro_rules! keywords {
    ($($class:ident { $($variant:ident $text:literal)* })*) => {
        /// A word of the grammar. `Unlisted` stands for every other word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Keyword { Unlisted, $($($variant,)*)* }

        const WORDS: &[(Keyword, &str, Class)] =
            &[(Keyword::Unlisted, "", Class::Extra), $($((Keyword::$variant, $text, Class::$class),)*)*];
    };
}

keywords! {
    Reserved {
        Accessible "ACCESSIBLE" Add "ADD" All "ALL" Alter "ALTER" Analyze "ANALYZE" And "AND" As "AS" Asc "ASC"
        Asensitive "ASENSITIVE" Before "BEFORE" Between "BETWEEN" Bigint "BIGINT" Binary "BINARY" Blob "BLOB"
        Both "BOTH" By "BY" Call "CALL" Cascade "CASCADE" Case "CASE" Change "CHANGE" Char "CHAR"
        Character "CHARACTER" Check "CHECK" Collate "COLLATE" Column "COLUMN" Condition "CONDITION"
        Constraint "CONSTRAINT" Continue "CONTINUE" Convert "CONVERT" Create "CREATE" Cross "CROSS" Cube "CUBE"
        CumeDist "CUME_DIST" CurrentDate "CURRENT_DATE" CurrentTime "CURRENT_TIME"
        CurrentTimestamp "CURRENT_TIMESTAMP" CurrentUser "CURRENT_USER" Cursor "CURSOR" Database "DATABASE"
        Databases "DATABASES" DayHour "DAY_HOUR" DayMicrosecond "DAY_MICROSECOND" DayMinute "DAY_MINUTE"
        DaySecond "DAY_SECOND" Dec "DEC" Decimal "DECIMAL" Declare "DECLARE" Default "DEFAULT" Delayed "DELAYED"
        Delete "DELETE" DenseRank "DENSE_RANK" Desc "DESC" Describe "DESCRIBE" Deterministic "DETERMINISTIC"
        Distinct "DISTINCT" Distinctrow "DISTINCTROW" Div "DIV" Double "DOUBLE" Drop "DROP" Dual "DUAL" Each "EACH"
        Else "ELSE" Elseif "ELSEIF" Empty "EMPTY" Enclosed "ENCLOSED" Escaped "ESCAPED" Except "EXCEPT"
        Exists "EXISTS" Exit "EXIT" Explain "EXPLAIN" False "FALSE" Fetch "FETCH" FirstValue "FIRST_VALUE"
        Float "FLOAT" Float4 "FLOAT4" Float8 "FLOAT8" For "FOR" Force "FORCE" Foreign "FOREIGN" From "FROM"
        Fulltext "FULLTEXT" Function "FUNCTION" Generated "GENERATED" Get "GET" Grant "GRANT" Group "GROUP"
        Grouping "GROUPING" Groups "GROUPS" Having "HAVING" HighPriority "HIGH_PRIORITY"
        HourMicrosecond "HOUR_MICROSECOND" HourMinute "HOUR_MINUTE" HourSecond "HOUR_SECOND" If "IF" Ignore "IGNORE"
        In "IN" Index "INDEX" Infile "INFILE" Inner "INNER" Inout "INOUT" Insensitive "INSENSITIVE" Insert "INSERT"
        Int "INT" Int1 "INT1" Int2 "INT2" Int3 "INT3" Int4 "INT4" Int8 "INT8" Integer "INTEGER" Interval "INTERVAL"
        Into "INTO" IoAfterGtids "IO_AFTER_GTIDS" IoBeforeGtids "IO_BEFORE_GTIDS" Is "IS" Iterate "ITERATE"
        Join "JOIN" JsonTable "JSON_TABLE" Key "KEY" Keys "KEYS" Kill "KILL" Lag "LAG" LastValue "LAST_VALUE"
        Lateral "LATERAL" Lead "LEAD" Leading "LEADING" Leave "LEAVE" Left "LEFT" Like "LIKE" Limit "LIMIT"
        Linear "LINEAR" Lines "LINES" Load "LOAD" Localtime "LOCALTIME" Localtimestamp "LOCALTIMESTAMP" Lock "LOCK"
        Long "LONG" Longblob "LONGBLOB" Longtext "LONGTEXT" Loop "LOOP" LowPriority "LOW_PRIORITY"
        MasterBind "MASTER_BIND" MasterSslVerifyServerCert "MASTER_SSL_VERIFY_SERVER_CERT" Match "MATCH"
        Maxvalue "MAXVALUE" Mediumblob "MEDIUMBLOB" Mediumint "MEDIUMINT" Mediumtext "MEDIUMTEXT"
        Middleint "MIDDLEINT" MinuteMicrosecond "MINUTE_MICROSECOND" MinuteSecond "MINUTE_SECOND" Mod "MOD"
        Modifies "MODIFIES" Natural "NATURAL" Not "NOT" NoWriteToBinlog "NO_WRITE_TO_BINLOG" NthValue "NTH_VALUE"
        Ntile "NTILE" Null "NULL" Numeric "NUMERIC" Of "OF" On "ON" Optimize "OPTIMIZE"
        OptimizerCosts "OPTIMIZER_COSTS" Option "OPTION" Optionally "OPTIONALLY" Or "OR" Order "ORDER" Out "OUT"
        Outer "OUTER" Outfile "OUTFILE" Over "OVER" Partition "PARTITION" PercentRank "PERCENT_RANK"
        Precision "PRECISION" Primary "PRIMARY" Procedure "PROCEDURE" Purge "PURGE" Range "RANGE" Rank "RANK"
        Read "READ" Reads "READS" ReadWrite "READ_WRITE" Real "REAL" Recursive "RECURSIVE" References "REFERENCES"
        Regexp "REGEXP" Release "RELEASE" Rename "RENAME" Repeat "REPEAT" Replace "REPLACE" Require "REQUIRE"
        Resignal "RESIGNAL" Restrict "RESTRICT" Return "RETURN" Revoke "REVOKE" Right "RIGHT" Rlike "RLIKE" Row "ROW"
        Rows "ROWS" RowNumber "ROW_NUMBER" Schema "SCHEMA" Schemas "SCHEMAS" SecondMicrosecond "SECOND_MICROSECOND"
        Select "SELECT" Sensitive "SENSITIVE" Separator "SEPARATOR" Set "SET" Show "SHOW" Signal "SIGNAL"
        Smallint "SMALLINT" Spatial "SPATIAL" Specific "SPECIFIC" Sql "SQL" Sqlexception "SQLEXCEPTION"
        Sqlstate "SQLSTATE" Sqlwarning "SQLWARNING" SqlBigResult "SQL_BIG_RESULT"
        SqlCalcFoundRows "SQL_CALC_FOUND_ROWS" SqlSmallResult "SQL_SMALL_RESULT" Ssl "SSL" Starting "STARTING"
        Stored "STORED" StraightJoin "STRAIGHT_JOIN" System "SYSTEM" Table "TABLE" Terminated "TERMINATED" Then "THEN"
        Tinyblob "TINYBLOB" Tinyint "TINYINT" Tinytext "TINYTEXT" To "TO" Trailing "TRAILING" Trigger "TRIGGER"
        True "TRUE" Undo "UNDO" Union "UNION" Unique "UNIQUE" Unlock "UNLOCK" Unsigned "UNSIGNED" Update "UPDATE"
        Usage "USAGE" Use "USE" Using "USING" UtcDate "UTC_DATE" UtcTime "UTC_TIME" UtcTimestamp "UTC_TIMESTAMP"
        Values "VALUES" Varbinary "VARBINARY" Varchar "VARCHAR" Varcharacter "VARCHARACTER" Varying "VARYING"
        Virtual "VIRTUAL" When "WHEN" Where "WHERE" While "WHILE" Window "WINDOW" With "WITH" Write "WRITE" Xor "XOR"
        YearMonth "YEAR_MONTH" Zerofill "ZEROFILL"
    }
    Plain {
        Account "ACCOUNT" Action "ACTION" Active "ACTIVE" Admin "ADMIN" After "AFTER" Against "AGAINST"
        Aggregate "AGGREGATE" Algorithm "ALGORITHM" Always "ALWAYS" Any "ANY" Array "ARRAY" Ascii "ASCII"
        AssignGtidsToAnonymousTransactions "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS" At "AT" Attribute "ATTRIBUTE"
        Authentication "AUTHENTICATION" AutoextendSize "AUTOEXTEND_SIZE" AutoIncrement "AUTO_INCREMENT" Avg "AVG"
        AvgRowLength "AVG_ROW_LENGTH" Backup "BACKUP" Begin "BEGIN" Binlog "BINLOG" Bit "BIT" Block "BLOCK"
        Bool "BOOL" Boolean "BOOLEAN" Btree "BTREE" Buckets "BUCKETS" Byte "BYTE" Cache "CACHE" Cascaded "CASCADED"
        CatalogName "CATALOG_NAME" Chain "CHAIN" ChallengeResponse "CHALLENGE_RESPONSE" Changed "CHANGED"
        Channel "CHANNEL" Charset "CHARSET" Checksum "CHECKSUM" Cipher "CIPHER" ClassOrigin "CLASS_ORIGIN"
        Client "CLIENT" Clone "CLONE" Close "CLOSE" Coalesce "COALESCE" Code "CODE" Collation "COLLATION"
        Columns "COLUMNS" ColumnFormat "COLUMN_FORMAT" ColumnName "COLUMN_NAME" Comment "COMMENT" Commit "COMMIT"
        Committed "COMMITTED" Compact "COMPACT" Completion "COMPLETION" Component "COMPONENT" Compressed "COMPRESSED"
        Compression "COMPRESSION" Concurrent "CONCURRENT" Connection "CONNECTION" Consistent "CONSISTENT"
        ConstraintCatalog "CONSTRAINT_CATALOG" ConstraintName "CONSTRAINT_NAME" ConstraintSchema "CONSTRAINT_SCHEMA"
        Contains "CONTAINS" Context "CONTEXT" Cpu "CPU" Current "CURRENT" CursorName "CURSOR_NAME" Data "DATA"
        Datafile "DATAFILE" Date "DATE" Datetime "DATETIME" Day "DAY" Deallocate "DEALLOCATE"
        DefaultAuth "DEFAULT_AUTH" Definer "DEFINER" Definition "DEFINITION" DelayKeyWrite "DELAY_KEY_WRITE"
        Description "DESCRIPTION" Diagnostics "DIAGNOSTICS" Directory "DIRECTORY" Disable "DISABLE" Discard "DISCARD"
        Disk "DISK" Do "DO" Dumpfile "DUMPFILE" Duplicate "DUPLICATE" Dynamic "DYNAMIC" Enable "ENABLE"
        Encryption "ENCRYPTION" End "END" Ends "ENDS" Enforced "ENFORCED" Engine "ENGINE" Engines "ENGINES"
        EngineAttribute "ENGINE_ATTRIBUTE" Enum "ENUM" Error "ERROR" Errors "ERRORS" Escape "ESCAPE" Event "EVENT"
        Events "EVENTS" Every "EVERY" Exchange "EXCHANGE" Exclude "EXCLUDE" Execute "EXECUTE" Expansion "EXPANSION"
        Expire "EXPIRE" Export "EXPORT" Extended "EXTENDED" ExtentSize "EXTENT_SIZE" Factor "FACTOR"
        FailedLoginAttempts "FAILED_LOGIN_ATTEMPTS" Fast "FAST" Faults "FAULTS" Fields "FIELDS" File "FILE"
        FileBlockSize "FILE_BLOCK_SIZE" Filter "FILTER" Finish "FINISH" First "FIRST" Fixed "FIXED" Flush "FLUSH"
        Following "FOLLOWING" Follows "FOLLOWS" Format "FORMAT" Found "FOUND" Full "FULL" General "GENERAL"
        Geomcollection "GEOMCOLLECTION" Geometry "GEOMETRY" Geometrycollection "GEOMETRYCOLLECTION"
        GetFormat "GET_FORMAT" GetMasterPublicKey "GET_MASTER_PUBLIC_KEY" GetSourcePublicKey "GET_SOURCE_PUBLIC_KEY"
        Global "GLOBAL" Grants "GRANTS" GroupReplication "GROUP_REPLICATION" GtidOnly "GTID_ONLY" Handler "HANDLER"
        Hash "HASH" Help "HELP" Histogram "HISTOGRAM" History "HISTORY" Host "HOST" Hosts "HOSTS" Hour "HOUR"
        Identified "IDENTIFIED" IgnoreServerIds "IGNORE_SERVER_IDS" Import "IMPORT" Inactive "INACTIVE"
        Indexes "INDEXES" Initial "INITIAL" InitialSize "INITIAL_SIZE" Initiate "INITIATE"
        InsertMethod "INSERT_METHOD" Install "INSTALL" Instance "INSTANCE" Invisible "INVISIBLE" Invoker "INVOKER"
        Io "IO" IoThread "IO_THREAD" Ipc "IPC" Isolation "ISOLATION" Issuer "ISSUER" Json "JSON"
        JsonValue "JSON_VALUE" Keyring "KEYRING" KeyBlockSize "KEY_BLOCK_SIZE" Language "LANGUAGE" Last "LAST"
        Leaves "LEAVES" Less "LESS" Level "LEVEL" Linestring "LINESTRING" List "LIST" Local "LOCAL" Locked "LOCKED"
        Locks "LOCKS" Logfile "LOGFILE" Logs "LOGS" Master "MASTER" MasterAutoPosition "MASTER_AUTO_POSITION"
        MasterCompressionAlgorithms "MASTER_COMPRESSION_ALGORITHMS" MasterConnectRetry "MASTER_CONNECT_RETRY"
        MasterDelay "MASTER_DELAY" MasterHeartbeatPeriod "MASTER_HEARTBEAT_PERIOD" MasterHost "MASTER_HOST"
        MasterLogFile "MASTER_LOG_FILE" MasterLogPos "MASTER_LOG_POS" MasterPassword "MASTER_PASSWORD"
        MasterPort "MASTER_PORT" MasterPublicKeyPath "MASTER_PUBLIC_KEY_PATH" MasterRetryCount "MASTER_RETRY_COUNT"
        MasterSsl "MASTER_SSL" MasterSslCa "MASTER_SSL_CA" MasterSslCapath "MASTER_SSL_CAPATH"
        MasterSslCert "MASTER_SSL_CERT" MasterSslCipher "MASTER_SSL_CIPHER" MasterSslCrl "MASTER_SSL_CRL"
        MasterSslCrlpath "MASTER_SSL_CRLPATH" MasterSslKey "MASTER_SSL_KEY"
        MasterTlsCiphersuites "MASTER_TLS_CIPHERSUITES" MasterTlsVersion "MASTER_TLS_VERSION" MasterUser "MASTER_USER"
        MasterZstdCompressionLevel "MASTER_ZSTD_COMPRESSION_LEVEL" MaxConnectionsPerHour "MAX_CONNECTIONS_PER_HOUR"
        MaxQueriesPerHour "MAX_QUERIES_PER_HOUR" MaxRows "MAX_ROWS" MaxSize "MAX_SIZE"
        MaxUpdatesPerHour "MAX_UPDATES_PER_HOUR" MaxUserConnections "MAX_USER_CONNECTIONS" Medium "MEDIUM"
        Member "MEMBER" Memory "MEMORY" Merge "MERGE" MessageText "MESSAGE_TEXT" Microsecond "MICROSECOND"
        Migrate "MIGRATE" Minute "MINUTE" MinRows "MIN_ROWS" Mode "MODE" Modify "MODIFY" Month "MONTH"
        Multilinestring "MULTILINESTRING" Multipoint "MULTIPOINT" Multipolygon "MULTIPOLYGON" Mutex "MUTEX"
        MysqlErrno "MYSQL_ERRNO" Name "NAME" Names "NAMES" National "NATIONAL" Nchar "NCHAR" Ndb "NDB"
        Ndbcluster "NDBCLUSTER" Nested "NESTED" NetworkNamespace "NETWORK_NAMESPACE" Never "NEVER" New "NEW"
        Next "NEXT" No "NO" Nodegroup "NODEGROUP" None "NONE" Nowait "NOWAIT" NoWait "NO_WAIT" Nulls "NULLS"
        Number "NUMBER" Nvarchar "NVARCHAR" Off "OFF" Offset "OFFSET" Oj "OJ" Old "OLD" One "ONE" Only "ONLY"
        Open "OPEN" Optional "OPTIONAL" Options "OPTIONS" Ordinality "ORDINALITY" Organization "ORGANIZATION"
        Others "OTHERS" Owner "OWNER" PackKeys "PACK_KEYS" Page "PAGE" Parser "PARSER" Partial "PARTIAL"
        Partitioning "PARTITIONING" Partitions "PARTITIONS" Password "PASSWORD" PasswordLockTime "PASSWORD_LOCK_TIME"
        Path "PATH" Persist "PERSIST" PersistOnly "PERSIST_ONLY" Phase "PHASE" Plugin "PLUGIN" Plugins "PLUGINS"
        PluginDir "PLUGIN_DIR" Point "POINT" Polygon "POLYGON" Port "PORT" Precedes "PRECEDES" Preceding "PRECEDING"
        Prepare "PREPARE" Preserve "PRESERVE" Prev "PREV" Privileges "PRIVILEGES"
        PrivilegeChecksUser "PRIVILEGE_CHECKS_USER" Process "PROCESS" Processlist "PROCESSLIST" Profile "PROFILE"
        Profiles "PROFILES" Proxy "PROXY" Quarter "QUARTER" Query "QUERY" Quick "QUICK" Random "RANDOM"
        ReadOnly "READ_ONLY" Rebuild "REBUILD" Recover "RECOVER" RedoBufferSize "REDO_BUFFER_SIZE"
        Redundant "REDUNDANT" Reference "REFERENCE" Registration "REGISTRATION" Relay "RELAY" Relaylog "RELAYLOG"
        RelayLogFile "RELAY_LOG_FILE" RelayLogPos "RELAY_LOG_POS" RelayThread "RELAY_THREAD" Reload "RELOAD"
        Remove "REMOVE" Reorganize "REORGANIZE" Repair "REPAIR" Repeatable "REPEATABLE" Replica "REPLICA"
        Replicas "REPLICAS" ReplicateDoDb "REPLICATE_DO_DB" ReplicateDoTable "REPLICATE_DO_TABLE"
        ReplicateIgnoreDb "REPLICATE_IGNORE_DB" ReplicateIgnoreTable "REPLICATE_IGNORE_TABLE"
        ReplicateRewriteDb "REPLICATE_REWRITE_DB" ReplicateWildDoTable "REPLICATE_WILD_DO_TABLE"
        ReplicateWildIgnoreTable "REPLICATE_WILD_IGNORE_TABLE" Replication "REPLICATION"
        RequireRowFormat "REQUIRE_ROW_FORMAT" RequireTablePrimaryKeyCheck "REQUIRE_TABLE_PRIMARY_KEY_CHECK"
        Reset "RESET" Resource "RESOURCE" Respect "RESPECT" Restart "RESTART" Restore "RESTORE" Resume "RESUME"
        Retain "RETAIN" ReturnedSqlstate "RETURNED_SQLSTATE" Returning "RETURNING" Returns "RETURNS" Reuse "REUSE"
        Reverse "REVERSE" Role "ROLE" Rollback "ROLLBACK" Rollup "ROLLUP" Rotate "ROTATE" Routine "ROUTINE"
        RowCount "ROW_COUNT" RowFormat "ROW_FORMAT" Rtree "RTREE" Savepoint "SAVEPOINT" Schedule "SCHEDULE"
        SchemaName "SCHEMA_NAME" Second "SECOND" Secondary "SECONDARY" SecondaryEngine "SECONDARY_ENGINE"
        SecondaryEngineAttribute "SECONDARY_ENGINE_ATTRIBUTE" SecondaryLoad "SECONDARY_LOAD"
        SecondaryUnload "SECONDARY_UNLOAD" Security "SECURITY" Serial "SERIAL" Serializable "SERIALIZABLE"
        Server "SERVER" Session "SESSION" Share "SHARE" Shutdown "SHUTDOWN" Signed "SIGNED" Simple "SIMPLE"
        Skip "SKIP" Slave "SLAVE" Slow "SLOW" Snapshot "SNAPSHOT" Socket "SOCKET" Some "SOME" Soname "SONAME"
        Sounds "SOUNDS" Source "SOURCE" SourceAutoPosition "SOURCE_AUTO_POSITION" SourceBind "SOURCE_BIND"
        SourceCompressionAlgorithms "SOURCE_COMPRESSION_ALGORITHMS"
        SourceConnectionAutoFailover "SOURCE_CONNECTION_AUTO_FAILOVER" SourceConnectRetry "SOURCE_CONNECT_RETRY"
        SourceDelay "SOURCE_DELAY" SourceHeartbeatPeriod "SOURCE_HEARTBEAT_PERIOD" SourceHost "SOURCE_HOST"
        SourceLogFile "SOURCE_LOG_FILE" SourceLogPos "SOURCE_LOG_POS" SourcePassword "SOURCE_PASSWORD"
        SourcePort "SOURCE_PORT" SourcePublicKeyPath "SOURCE_PUBLIC_KEY_PATH" SourceRetryCount "SOURCE_RETRY_COUNT"
        SourceSsl "SOURCE_SSL" SourceSslCa "SOURCE_SSL_CA" SourceSslCapath "SOURCE_SSL_CAPATH"
        SourceSslCert "SOURCE_SSL_CERT" SourceSslCipher "SOURCE_SSL_CIPHER" SourceSslCrl "SOURCE_SSL_CRL"
        SourceSslCrlpath "SOURCE_SSL_CRLPATH" SourceSslKey "SOURCE_SSL_KEY"
        SourceSslVerifyServerCert "SOURCE_SSL_VERIFY_SERVER_CERT" SourceTlsCiphersuites "SOURCE_TLS_CIPHERSUITES"
        SourceTlsVersion "SOURCE_TLS_VERSION" SourceUser "SOURCE_USER"
        SourceZstdCompressionLevel "SOURCE_ZSTD_COMPRESSION_LEVEL" SqlAfterGtids "SQL_AFTER_GTIDS"
        SqlAfterMtsGaps "SQL_AFTER_MTS_GAPS" SqlBeforeGtids "SQL_BEFORE_GTIDS" SqlBufferResult "SQL_BUFFER_RESULT"
        SqlNoCache "SQL_NO_CACHE" SqlThread "SQL_THREAD" SqlTsiDay "SQL_TSI_DAY" SqlTsiHour "SQL_TSI_HOUR"
        SqlTsiMinute "SQL_TSI_MINUTE" SqlTsiMonth "SQL_TSI_MONTH" SqlTsiQuarter "SQL_TSI_QUARTER"
        SqlTsiSecond "SQL_TSI_SECOND" SqlTsiWeek "SQL_TSI_WEEK" SqlTsiYear "SQL_TSI_YEAR" Srid "SRID"
        Stacked "STACKED" Start "START" Starts "STARTS" StatsAutoRecalc "STATS_AUTO_RECALC"
        StatsPersistent "STATS_PERSISTENT" StatsSamplePages "STATS_SAMPLE_PAGES" Status "STATUS" Stop "STOP"
        Storage "STORAGE" Stream "STREAM" String "STRING" SubclassOrigin "SUBCLASS_ORIGIN" Subject "SUBJECT"
        Subpartition "SUBPARTITION" Subpartitions "SUBPARTITIONS" Super "SUPER" Suspend "SUSPEND" Swaps "SWAPS"
        Switches "SWITCHES" Tables "TABLES" Tablespace "TABLESPACE" TableChecksum "TABLE_CHECKSUM"
        TableName "TABLE_NAME" Temporary "TEMPORARY" Temptable "TEMPTABLE" Text "TEXT" Than "THAN"
        ThreadPriority "THREAD_PRIORITY" Ties "TIES" Time "TIME" Timestamp "TIMESTAMP" Timestampadd "TIMESTAMPADD"
        Timestampdiff "TIMESTAMPDIFF" Tls "TLS" Transaction "TRANSACTION" Triggers "TRIGGERS" Truncate "TRUNCATE"
        Type "TYPE" Types "TYPES" Unbounded "UNBOUNDED" Uncommitted "UNCOMMITTED" Undefined "UNDEFINED"
        Undofile "UNDOFILE" UndoBufferSize "UNDO_BUFFER_SIZE" Unicode "UNICODE" Uninstall "UNINSTALL"
        Unknown "UNKNOWN" Unregister "UNREGISTER" Until "UNTIL" Upgrade "UPGRADE" User "USER"
        UserResources "USER_RESOURCES" UseFrm "USE_FRM" Validation "VALIDATION" Value "VALUE" Variables "VARIABLES"
        Vcpu "VCPU" View "VIEW" Visible "VISIBLE" Wait "WAIT" Warnings "WARNINGS" Week "WEEK" Without "WITHOUT"
        Work "WORK" Wrapper "WRAPPER" X509 "X509" Xa "XA" Xid "XID" Xml "XML" Year "YEAR" Zone "ZONE"
    }
    Extra {
        Substring "SUBSTRING" Substr "SUBSTR" Mid "MID" Position "POSITION" Trim "TRIM" Cast "CAST"
        GroupConcat "GROUP_CONCAT" Plan "PLAN" SystemTime "SYSTEM_TIME" Version "VERSION" Intersect "INTERSECT"
        Extract "EXTRACT" Sysdate "SYSDATE" Now "NOW" Curdate "CURDATE" Curtime "CURTIME" Count "COUNT" Bin "BIN"
        Parameters "PARAMETERS" Vector "VECTOR" Log "LOG" ParseTree "PARSE_TREE" Manual "MANUAL" Auto "AUTO"
        Tree "TREE"
    }
}

const SLOTS: usize = 4096;
const _: () = assert!(WORDS.len() * 4 < SLOTS && SLOTS.is_power_of_two());

/// Longest keyword in bytes; longer words need no look-up.
const LENGTH_MAX: usize = longest();

const fn longest() -> usize {
    let mut longest = 0;
    let mut index = 0;
    while index < WORDS.len() {
        let length = WORDS[index].1.len();
        if length > longest {
            longest = length;
        }
        index += 1;
    }
    longest
}

/// FNV-1a over the upper-case letters; only has to spread some 800 known words.
const fn slot_of(word: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut index = 0;
    while index < word.len() {
        hash = (hash ^ word[index].to_ascii_uppercase() as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    (hash ^ (hash >> 15)) as usize & (SLOTS - 1)
}

/// Open addressing: indexes into `WORDS`, 0 = free.
static TABLE: [u16; SLOTS] = table();

const fn table() -> [u16; SLOTS] {
    let mut table = [0u16; SLOTS];
    let mut index = 1;
    while index < WORDS.len() {
        let mut slot = slot_of(WORDS[index].1.as_bytes());
        while table[slot] != 0 {
            slot = (slot + 1) & (SLOTS - 1);
        }
        table[slot] = index as u16;
        index += 1;
    }
    table
}

impl Keyword {
    /// Finds a word regardless of ASCII case; [`Keyword::Unlisted`] when it is no keyword.
    pub fn find(word: &str) -> Keyword {
        if word.len() > LENGTH_MAX {
            return Keyword::Unlisted;
        }
        let mut slot = slot_of(word.as_bytes());
        loop {
            match TABLE[slot] {
                0 => return Keyword::Unlisted,
                index => {
                    let (keyword, text, _) = WORDS[index as usize];
                    if text.eq_ignore_ascii_case(word) {
                        return keyword;
                    }
                }
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
    }

    /// Upper case; empty for `Unlisted`.
    pub fn text(self) -> &'static str {
        WORDS[self as usize].1
    }

    /// True when the word needs quotes to be a name.
    pub fn is_reserved(self) -> bool {
        WORDS[self as usize].2 == Class::Reserved
    }
}

/// The rows of `information_schema.keywords` by word: upper-case text and whether it is reserved.
pub fn keywords() -> Vec<(&'static str, bool)> {
    let listed = WORDS.iter().filter(|word| word.2 != Class::Extra);
    let mut rows: Vec<_> = listed.map(|&(_, text, class)| (text, class == Class::Reserved)).collect();
    // Dolt's list has this row too.
    rows.push(("\"\"", false));
    rows.sort_unstable();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_747_words_are_found_in_any_case() {
        let rows = keywords();
        assert_eq!(rows.len(), 747);
        assert_eq!(rows.iter().filter(|row| row.1).count(), RESERVED);
        for &(keyword, text, _) in &WORDS[1..] {
            assert_eq!(Keyword::find(text), keyword);
            assert_eq!(Keyword::find(&text.to_lowercase()), keyword);
            assert_eq!(keyword.text(), text);
        }
        assert_eq!(Keyword::find("selec"), Keyword::Unlisted);
        assert_eq!(Keyword::find(""), Keyword::Unlisted);
        assert!(Keyword::Select.is_reserved() && !Keyword::Status.is_reserved());
    }

    const RESERVED: usize = 261;
}
