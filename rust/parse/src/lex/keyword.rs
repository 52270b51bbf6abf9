//! Keywords: MySQL 8.0.31's 746 as `information_schema.keywords` lists them, and a few words of our own grammar.

/// How freely a word may be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Only in quotes, behind a point, or as a function name.
    Reserved,
    Plain,
    /// As `Plain`, and no word of Dolt's grammar.
    Foreign,
    /// Not in `information_schema.keywords`, never reserved.
    Extra,
    /// As `Extra`, and no word of Dolt's grammar.
    Own,
    /// As `Extra`, but no name in Dolt, not even behind a point.
    Dolts,
    /// As `Extra`, but in Dolt a name behind a point and before one alone.
    DoltsBare,
}

macro_rules! keywords {
    ($($class:ident { $($variant:ident $text:literal)* })*) => {
        /// A word of the grammar. `Unlisted` is every other word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Keyword { Unlisted, $($($variant,)*)* }

        const WORDS: &[(Keyword, &str, Class)] =
            &[(Keyword::Unlisted, "", Class::Own), $($((Keyword::$variant, $text, Class::$class),)*)*];
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
        Account "ACCOUNT" Action "ACTION" Admin "ADMIN" After "AFTER" Against "AGAINST" Algorithm "ALGORITHM"
        Always "ALWAYS" Array "ARRAY" At "AT" Attribute "ATTRIBUTE" Authentication "AUTHENTICATION"
        AutoextendSize "AUTOEXTEND_SIZE" AutoIncrement "AUTO_INCREMENT" Avg "AVG" AvgRowLength "AVG_ROW_LENGTH"
        Begin "BEGIN" Binlog "BINLOG" Bit "BIT" Bool "BOOL" Boolean "BOOLEAN" Cascaded "CASCADED"
        CatalogName "CATALOG_NAME" Chain "CHAIN" Channel "CHANNEL" Charset "CHARSET" Checksum "CHECKSUM"
        Cipher "CIPHER" ClassOrigin "CLASS_ORIGIN" Client "CLIENT" Close "CLOSE" Coalesce "COALESCE"
        Collation "COLLATION" Columns "COLUMNS" ColumnName "COLUMN_NAME" Comment "COMMENT" Commit "COMMIT"
        Committed "COMMITTED" Compact "COMPACT" Completion "COMPLETION" Compressed "COMPRESSED"
        Compression "COMPRESSION" Connection "CONNECTION" Consistent "CONSISTENT"
        ConstraintCatalog "CONSTRAINT_CATALOG" ConstraintName "CONSTRAINT_NAME" ConstraintSchema "CONSTRAINT_SCHEMA"
        Contains "CONTAINS" Current "CURRENT" CursorName "CURSOR_NAME" Data "DATA" Date "DATE" Datetime "DATETIME"
        Day "DAY" Deallocate "DEALLOCATE" Definer "DEFINER" Definition "DEFINITION" DelayKeyWrite "DELAY_KEY_WRITE"
        Description "DESCRIPTION" Directory "DIRECTORY" Disable "DISABLE" Discard "DISCARD" Disk "DISK" Do "DO"
        Dumpfile "DUMPFILE" Duplicate "DUPLICATE" Dynamic "DYNAMIC" Enable "ENABLE" Encryption "ENCRYPTION" End "END"
        Ends "ENDS" Enforced "ENFORCED" Engine "ENGINE" Engines "ENGINES" EngineAttribute "ENGINE_ATTRIBUTE"
        Enum "ENUM" Error "ERROR" Errors "ERRORS" Escape "ESCAPE" Event "EVENT" Events "EVENTS" Every "EVERY"
        Exchange "EXCHANGE" Execute "EXECUTE" Expansion "EXPANSION" Expire "EXPIRE" Extended "EXTENDED"
        FailedLoginAttempts "FAILED_LOGIN_ATTEMPTS" Fields "FIELDS" File "FILE" Filter "FILTER" First "FIRST"
        Fixed "FIXED" Flush "FLUSH" Following "FOLLOWING" Follows "FOLLOWS" Format "FORMAT" Found "FOUND" Full "FULL"
        General "GENERAL" Geometry "GEOMETRY" Geometrycollection "GEOMETRYCOLLECTION" GetFormat "GET_FORMAT"
        Global "GLOBAL" Grants "GRANTS" Handler "HANDLER" Hash "HASH" Histogram "HISTOGRAM" History "HISTORY"
        Hosts "HOSTS" Hour "HOUR" Identified "IDENTIFIED" Import "IMPORT" Indexes "INDEXES" Initial "INITIAL"
        InsertMethod "INSERT_METHOD" Invisible "INVISIBLE" Invoker "INVOKER" IoThread "IO_THREAD"
        Isolation "ISOLATION" Issuer "ISSUER" Json "JSON" KeyBlockSize "KEY_BLOCK_SIZE" Language "LANGUAGE"
        Last "LAST" Less "LESS" Level "LEVEL" Linestring "LINESTRING" List "LIST" Local "LOCAL" Locked "LOCKED"
        Logs "LOGS" Master "MASTER" MaxConnectionsPerHour "MAX_CONNECTIONS_PER_HOUR"
        MaxQueriesPerHour "MAX_QUERIES_PER_HOUR" MaxRows "MAX_ROWS" MaxUpdatesPerHour "MAX_UPDATES_PER_HOUR"
        MaxUserConnections "MAX_USER_CONNECTIONS" Memory "MEMORY" Merge "MERGE" MessageText "MESSAGE_TEXT"
        Microsecond "MICROSECOND" Minute "MINUTE" MinRows "MIN_ROWS" Mode "MODE" Modify "MODIFY" Month "MONTH"
        Multilinestring "MULTILINESTRING" Multipoint "MULTIPOINT" Multipolygon "MULTIPOLYGON" MysqlErrno "MYSQL_ERRNO"
        Name "NAME" Names "NAMES" National "NATIONAL" Nchar "NCHAR" Nested "NESTED" Never "NEVER" Next "NEXT" No "NO"
        None "NONE" Nowait "NOWAIT" Nvarchar "NVARCHAR" Off "OFF" Offset "OFFSET" Only "ONLY" Open "OPEN"
        Optional "OPTIONAL" Ordinality "ORDINALITY" Organization "ORGANIZATION" PackKeys "PACK_KEYS"
        Partitioning "PARTITIONING" Partitions "PARTITIONS" Password "PASSWORD" PasswordLockTime "PASSWORD_LOCK_TIME"
        Path "PATH" Persist "PERSIST" PersistOnly "PERSIST_ONLY" Plugins "PLUGINS" Point "POINT" Polygon "POLYGON"
        Precedes "PRECEDES" Preceding "PRECEDING" Prepare "PREPARE" Preserve "PRESERVE" Privileges "PRIVILEGES"
        Process "PROCESS" Processlist "PROCESSLIST" Proxy "PROXY" Quarter "QUARTER" Query "QUERY" Random "RANDOM"
        Rebuild "REBUILD" Redundant "REDUNDANT" Reference "REFERENCE" Relay "RELAY" Reload "RELOAD" Remove "REMOVE"
        Reorganize "REORGANIZE" Repair "REPAIR" Repeatable "REPEATABLE" Replica "REPLICA" Replicas "REPLICAS"
        ReplicateDoTable "REPLICATE_DO_TABLE" ReplicateIgnoreTable "REPLICATE_IGNORE_TABLE" Replication "REPLICATION"
        Reset "RESET" Returning "RETURNING" Reuse "REUSE" Role "ROLE" Rollback "ROLLBACK" Routine "ROUTINE"
        RowFormat "ROW_FORMAT" Savepoint "SAVEPOINT" Schedule "SCHEDULE" SchemaName "SCHEMA_NAME" Second "SECOND"
        SecondaryEngine "SECONDARY_ENGINE" SecondaryEngineAttribute "SECONDARY_ENGINE_ATTRIBUTE" Security "SECURITY"
        Serial "SERIAL" Serializable "SERIALIZABLE" Session "SESSION" Share "SHARE" Shutdown "SHUTDOWN"
        Signed "SIGNED" Skip "SKIP" Slave "SLAVE" Slow "SLOW" Snapshot "SNAPSHOT" Source "SOURCE"
        SourceAutoPosition "SOURCE_AUTO_POSITION" SourceConnectRetry "SOURCE_CONNECT_RETRY" SourceHost "SOURCE_HOST"
        SourcePassword "SOURCE_PASSWORD" SourcePort "SOURCE_PORT" SourceRetryCount "SOURCE_RETRY_COUNT"
        SourceSsl "SOURCE_SSL" SourceUser "SOURCE_USER" SqlNoCache "SQL_NO_CACHE" SqlThread "SQL_THREAD" Srid "SRID"
        Start "START" Starts "STARTS" StatsAutoRecalc "STATS_AUTO_RECALC" StatsPersistent "STATS_PERSISTENT"
        StatsSamplePages "STATS_SAMPLE_PAGES" Status "STATUS" Stop "STOP" Storage "STORAGE" Stream "STREAM"
        SubclassOrigin "SUBCLASS_ORIGIN" Subject "SUBJECT" Subpartition "SUBPARTITION" Subpartitions "SUBPARTITIONS"
        Super "SUPER" Tables "TABLES" Tablespace "TABLESPACE" TableChecksum "TABLE_CHECKSUM" TableName "TABLE_NAME"
        Temporary "TEMPORARY" Temptable "TEMPTABLE" Text "TEXT" Than "THAN" Time "TIME" Timestamp "TIMESTAMP"
        Timestampadd "TIMESTAMPADD" Timestampdiff "TIMESTAMPDIFF" Transaction "TRANSACTION" Triggers "TRIGGERS"
        Truncate "TRUNCATE" Unbounded "UNBOUNDED" Uncommitted "UNCOMMITTED" Undefined "UNDEFINED" Unknown "UNKNOWN"
        Until "UNTIL" User "USER" UserResources "USER_RESOURCES" Validation "VALIDATION" Value "VALUE"
        Variables "VARIABLES" View "VIEW" Visible "VISIBLE" Warnings "WARNINGS" Week "WEEK" Without "WITHOUT"
        Work "WORK" X509 "X509" Year "YEAR"
    }
    Foreign {
        Active "ACTIVE" Aggregate "AGGREGATE" Any "ANY" Ascii "ASCII"
        AssignGtidsToAnonymousTransactions "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS" Backup "BACKUP" Block "BLOCK"
        Btree "BTREE" Buckets "BUCKETS" Byte "BYTE" Cache "CACHE" ChallengeResponse "CHALLENGE_RESPONSE"
        Changed "CHANGED" Clone "CLONE" Code "CODE" ColumnFormat "COLUMN_FORMAT" Component "COMPONENT"
        Concurrent "CONCURRENT" Context "CONTEXT" Cpu "CPU" Datafile "DATAFILE" DefaultAuth "DEFAULT_AUTH"
        Diagnostics "DIAGNOSTICS" Exclude "EXCLUDE" Export "EXPORT" ExtentSize "EXTENT_SIZE" Factor "FACTOR"
        Fast "FAST" Faults "FAULTS" FileBlockSize "FILE_BLOCK_SIZE" Finish "FINISH" Geomcollection "GEOMCOLLECTION"
        GetMasterPublicKey "GET_MASTER_PUBLIC_KEY" GetSourcePublicKey "GET_SOURCE_PUBLIC_KEY"
        GroupReplication "GROUP_REPLICATION" GtidOnly "GTID_ONLY" Help "HELP" Host "HOST"
        IgnoreServerIds "IGNORE_SERVER_IDS" Inactive "INACTIVE" InitialSize "INITIAL_SIZE" Initiate "INITIATE"
        Install "INSTALL" Instance "INSTANCE" Io "IO" Ipc "IPC" JsonValue "JSON_VALUE" Keyring "KEYRING"
        Leaves "LEAVES" Locks "LOCKS" Logfile "LOGFILE" MasterAutoPosition "MASTER_AUTO_POSITION"
        MasterCompressionAlgorithms "MASTER_COMPRESSION_ALGORITHMS" MasterConnectRetry "MASTER_CONNECT_RETRY"
        MasterDelay "MASTER_DELAY" MasterHeartbeatPeriod "MASTER_HEARTBEAT_PERIOD" MasterHost "MASTER_HOST"
        MasterLogFile "MASTER_LOG_FILE" MasterLogPos "MASTER_LOG_POS" MasterPassword "MASTER_PASSWORD"
        MasterPort "MASTER_PORT" MasterPublicKeyPath "MASTER_PUBLIC_KEY_PATH" MasterRetryCount "MASTER_RETRY_COUNT"
        MasterSsl "MASTER_SSL" MasterSslCa "MASTER_SSL_CA" MasterSslCapath "MASTER_SSL_CAPATH"
        MasterSslCert "MASTER_SSL_CERT" MasterSslCipher "MASTER_SSL_CIPHER" MasterSslCrl "MASTER_SSL_CRL"
        MasterSslCrlpath "MASTER_SSL_CRLPATH" MasterSslKey "MASTER_SSL_KEY"
        MasterTlsCiphersuites "MASTER_TLS_CIPHERSUITES" MasterTlsVersion "MASTER_TLS_VERSION" MasterUser "MASTER_USER"
        MasterZstdCompressionLevel "MASTER_ZSTD_COMPRESSION_LEVEL" MaxSize "MAX_SIZE" Medium "MEDIUM" Member "MEMBER"
        Migrate "MIGRATE" Mutex "MUTEX" Ndb "NDB" Ndbcluster "NDBCLUSTER" NetworkNamespace "NETWORK_NAMESPACE"
        New "NEW" Nodegroup "NODEGROUP" NoWait "NO_WAIT" Nulls "NULLS" Number "NUMBER" Oj "OJ" Old "OLD" One "ONE"
        Options "OPTIONS" Others "OTHERS" Owner "OWNER" Page "PAGE" Parser "PARSER" Partial "PARTIAL" Phase "PHASE"
        Plugin "PLUGIN" PluginDir "PLUGIN_DIR" Port "PORT" Prev "PREV" PrivilegeChecksUser "PRIVILEGE_CHECKS_USER"
        Profile "PROFILE" Profiles "PROFILES" Quick "QUICK" ReadOnly "READ_ONLY" Recover "RECOVER"
        RedoBufferSize "REDO_BUFFER_SIZE" Registration "REGISTRATION" Relaylog "RELAYLOG"
        RelayLogFile "RELAY_LOG_FILE" RelayLogPos "RELAY_LOG_POS" RelayThread "RELAY_THREAD"
        ReplicateDoDb "REPLICATE_DO_DB" ReplicateIgnoreDb "REPLICATE_IGNORE_DB"
        ReplicateRewriteDb "REPLICATE_REWRITE_DB" ReplicateWildDoTable "REPLICATE_WILD_DO_TABLE"
        ReplicateWildIgnoreTable "REPLICATE_WILD_IGNORE_TABLE" RequireRowFormat "REQUIRE_ROW_FORMAT"
        RequireTablePrimaryKeyCheck "REQUIRE_TABLE_PRIMARY_KEY_CHECK" Resource "RESOURCE" Respect "RESPECT"
        Restart "RESTART" Restore "RESTORE" Resume "RESUME" Retain "RETAIN" ReturnedSqlstate "RETURNED_SQLSTATE"
        Returns "RETURNS" Reverse "REVERSE" Rollup "ROLLUP" Rotate "ROTATE" RowCount "ROW_COUNT" Rtree "RTREE"
        Secondary "SECONDARY" SecondaryLoad "SECONDARY_LOAD" SecondaryUnload "SECONDARY_UNLOAD" Server "SERVER"
        Simple "SIMPLE" Socket "SOCKET" Some "SOME" Soname "SONAME" Sounds "SOUNDS" SourceBind "SOURCE_BIND"
        SourceCompressionAlgorithms "SOURCE_COMPRESSION_ALGORITHMS"
        SourceConnectionAutoFailover "SOURCE_CONNECTION_AUTO_FAILOVER" SourceDelay "SOURCE_DELAY"
        SourceHeartbeatPeriod "SOURCE_HEARTBEAT_PERIOD" SourceLogFile "SOURCE_LOG_FILE" SourceLogPos "SOURCE_LOG_POS"
        SourcePublicKeyPath "SOURCE_PUBLIC_KEY_PATH" SourceSslCa "SOURCE_SSL_CA" SourceSslCapath "SOURCE_SSL_CAPATH"
        SourceSslCert "SOURCE_SSL_CERT" SourceSslCipher "SOURCE_SSL_CIPHER" SourceSslCrl "SOURCE_SSL_CRL"
        SourceSslCrlpath "SOURCE_SSL_CRLPATH" SourceSslKey "SOURCE_SSL_KEY"
        SourceSslVerifyServerCert "SOURCE_SSL_VERIFY_SERVER_CERT" SourceTlsCiphersuites "SOURCE_TLS_CIPHERSUITES"
        SourceTlsVersion "SOURCE_TLS_VERSION" SourceZstdCompressionLevel "SOURCE_ZSTD_COMPRESSION_LEVEL"
        SqlAfterGtids "SQL_AFTER_GTIDS" SqlAfterMtsGaps "SQL_AFTER_MTS_GAPS" SqlBeforeGtids "SQL_BEFORE_GTIDS"
        SqlBufferResult "SQL_BUFFER_RESULT" SqlTsiDay "SQL_TSI_DAY" SqlTsiHour "SQL_TSI_HOUR"
        SqlTsiMinute "SQL_TSI_MINUTE" SqlTsiMonth "SQL_TSI_MONTH" SqlTsiQuarter "SQL_TSI_QUARTER"
        SqlTsiSecond "SQL_TSI_SECOND" SqlTsiWeek "SQL_TSI_WEEK" SqlTsiYear "SQL_TSI_YEAR" Stacked "STACKED"
        String "STRING" Suspend "SUSPEND" Swaps "SWAPS" Switches "SWITCHES" ThreadPriority "THREAD_PRIORITY"
        Ties "TIES" Tls "TLS" Type "TYPE" Types "TYPES" Undofile "UNDOFILE" UndoBufferSize "UNDO_BUFFER_SIZE"
        Unicode "UNICODE" Uninstall "UNINSTALL" Unregister "UNREGISTER" Upgrade "UPGRADE" UseFrm "USE_FRM" Vcpu "VCPU"
        Wait "WAIT" Wrapper "WRAPPER" Xa "XA" Xid "XID" Xml "XML" Zone "ZONE"
    }
    Extra {
        Cast "CAST" Contained "CONTAINED" Count "COUNT" Extract "EXTRACT" Intersect "INTERSECT" Log "LOG" Max "MAX"
        Min "MIN" Position "POSITION" Sequence "SEQUENCE" Sum "SUM" Trim "TRIM" Version "VERSION" Versions "VERSIONS"
    }
    Own {
        Auto "AUTO" Bin "BIN" Curdate "CURDATE" Curtime "CURTIME" Manual "MANUAL" Mid "MID" Parameters "PARAMETERS"
        ParseTree "PARSE_TREE" Sysdate "SYSDATE" Tree "TREE"
    }
    // Observed on Dolt 2.2.0, as all that it refuses.
    Dolts {
        ApplicationPasswordAdmin "APPLICATION_PASSWORD_ADMIN" AuditAbortExempt "AUDIT_ABORT_EXEMPT"
        AuditAdmin "AUDIT_ADMIN" AuthenticationPolicyAdmin "AUTHENTICATION_POLICY_ADMIN" BackupAdmin "BACKUP_ADMIN"
        BinlogAdmin "BINLOG_ADMIN" BinlogEncryptionAdmin "BINLOG_ENCRYPTION_ADMIN" CloneAdmin "CLONE_ADMIN"
        ConnectionAdmin "CONNECTION_ADMIN" Copy "COPY" Encrypted "ENCRYPTED" EncryptionKeyAdmin "ENCRYPTION_KEY_ADMIN"
        EncryptionKeyId "ENCRYPTION_KEY_ID" Exclusive "EXCLUSIVE" FirewallAdmin "FIREWALL_ADMIN"
        FirewallExempt "FIREWALL_EXEMPT" FirewallUser "FIREWALL_USER" FlushOptimizerCosts "FLUSH_OPTIMIZER_COSTS"
        FlushStatus "FLUSH_STATUS" FlushTables "FLUSH_TABLES" FlushUserResources "FLUSH_USER_RESOURCES"
        GroupConcat "GROUP_CONCAT" GroupReplicationAdmin "GROUP_REPLICATION_ADMIN"
        GroupReplicationStream "GROUP_REPLICATION_STREAM" InnodbRedoLogArchive "INNODB_REDO_LOG_ARCHIVE"
        InnodbRedoLogEnable "INNODB_REDO_LOG_ENABLE" Inplace "INPLACE" ItefQuotes "ITEF_QUOTES"
        NdbStoredUser "NDB_STORED_USER" Now "NOW" PageChecksum "PAGE_CHECKSUM" PageCompressed "PAGE_COMPRESSED"
        PageCompressionLevel "PAGE_COMPRESSION_LEVEL" PasswordlessUserAdmin "PASSWORDLESS_USER_ADMIN"
        PersistRoVariablesAdmin "PERSIST_RO_VARIABLES_ADMIN" Plan "PLAN" ReplicationApplier "REPLICATION_APPLIER"
        ReplicationSlaveAdmin "REPLICATION_SLAVE_ADMIN" ResourceGroupAdmin "RESOURCE_GROUP_ADMIN"
        ResourceGroupUser "RESOURCE_GROUP_USER" RoleAdmin "ROLE_ADMIN"
        SensitiveVariablesObserver "SENSITIVE_VARIABLES_OBSERVER" SessionVariablesAdmin "SESSION_VARIABLES_ADMIN"
        SetUserId "SET_USER_ID" Shared "SHARED" ShowRoutine "SHOW_ROUTINE" SkipQueryRewrite "SKIP_QUERY_REWRITE"
        SystemTime "SYSTEM_TIME" SystemVariablesAdmin "SYSTEM_VARIABLES_ADMIN"
        TableEncryptionAdmin "TABLE_ENCRYPTION_ADMIN" TpConnectionAdmin "TP_CONNECTION_ADMIN"
        Transactional "TRANSACTIONAL" VersionTokenAdmin "VERSION_TOKEN_ADMIN" XaRecoverAdmin "XA_RECOVER_ADMIN"
        Yes "YES"
    }
    DoltsBare {
        BitAnd "BIT_AND" BitOr "BIT_OR" BitXor "BIT_XOR" JsonArrayagg "JSON_ARRAYAGG" JsonObjectagg "JSON_OBJECTAGG"
        Std "STD" Stddev "STDDEV" StddevPop "STDDEV_POP" StddevSamp "STDDEV_SAMP" Substr "SUBSTR"
        Substring "SUBSTRING" VarPop "VAR_POP" VarSamp "VAR_SAMP" Variance "VARIANCE" Vector "VECTOR"
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

    /// True for a word of `information_schema.keywords`.
    pub fn is_listed(self) -> bool {
        matches!(WORDS[self as usize].2, Class::Reserved | Class::Plain | Class::Foreign)
    }

    /// True when the word needs quotes to be a name.
    pub fn is_reserved(self) -> bool {
        WORDS[self as usize].2 == Class::Reserved
    }

    /// True when Dolt needs quotes where MySQL takes the word as it is.
    pub fn is_reserved_by_dolt(self) -> bool {
        self == Keyword::Returning || matches!(WORDS[self as usize].2, Class::Dolts | Class::DoltsBare)
    }

    /// True when Dolt's grammar has the word: it takes none of them for a label, a cursor or a savepoint.
    pub fn is_known_to_dolt(self) -> bool {
        !matches!(WORDS[self as usize].2, Class::Foreign | Class::Own)
    }

    /// True when Dolt does not take the word for a parameter, a variable or (`is_table`) a CTE or the alias of a table.
    pub fn is_no_new_name_in_dolt(self, is_table: bool) -> bool {
        use Keyword as K;
        match self {
            K::Avg | K::Cast | K::Count | K::Event | K::Max | K::Min | K::Position | K::Sum | K::Trim => !is_table,
            K::Account
            | K::Attribute
            | K::Comment
            | K::Contained
            | K::Execute
            | K::Extract
            | K::FailedLoginAttempts => true,
            K::Escape
            | K::File
            | K::First
            | K::Format
            | K::Full
            | K::GetFormat
            | K::Identified
            | K::Next
            | K::None
            | K::Off
            | K::Password => true,
            K::PasswordLockTime | K::Process | K::Reload | K::Shutdown | K::Super => true,
            K::Timestampadd | K::Timestampdiff | K::Versions | K::View => true,
            _ => false,
        }
    }

    /// True when Dolt needs quotes even behind a point.
    pub fn is_no_part_in_dolt(self) -> bool {
        WORDS[self as usize].2 == Class::Dolts
    }
}

/// The words of `information_schema.keywords`, in no order, and whether each is reserved.
pub fn listed() -> impl Iterator<Item = (&'static str, bool)> {
    WORDS.iter().filter(|word| word.0.is_listed()).map(|&(_, text, class)| (text, class == Class::Reserved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_found_in_any_case() {
        assert_eq!(listed().count(), 746);
        assert_eq!(listed().filter(|word| word.1).count(), RESERVED);
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
