//! SHOW REPLICA STATUS: of a server that follows nobody.

use parse::ast::ReplicaNames;
use value::Value;

use crate::statements::listing::Listing;

/// The columns, with what native Dolt says in them; NULL where nothing stands.
const COLUMNS: &str = "\
    Replica_IO_State= Source_Host= Source_User= Source_Port=0 Connect_Retry=60 Source_Log_File=INVALID \
    Read_Source_Log_Pos=0 Relay_Log_File Relay_Log_Pos Relay_Source_Log_File=INVALID Replica_IO_Running=No \
    Replica_SQL_Running=No Replicate_Do_DB Replicate_Ignore_DB Replicate_Do_Table= Replicate_Ignore_Table= \
    Replicate_Wild_Do_Table Replicate_Wild_Ignore_Table Last_Errno=0 Last_Error= Skip_Counter \
    Exec_Source_Log_Pos=0 Relay_Log_Space Until_Condition=None Until_Log_File Until_Log_Pos Source_SSL_Allowed=No \
    Source_SSL_CA_File Source_SSL_CA_Path Source_SSL_Cert Source_SSL_Cipher Source_SSL_CRL_File \
    Source_SSL_CRL_Path Source_SSL_Key Source_SSL_Verify_Server_Cert Seconds_Behind_Source=0 Last_IO_Errno=0 \
    Last_IO_Error= Last_SQL_Errno=0 Last_SQL_Error= Replicate_Ignore_Server_Ids Source_Server_Id= Source_UUID= \
    Source_Info_File SQL_Delay=0 SQL_Remaining_Delay=0 Replica_SQL_Running_State Source_Retry_Count=86400 \
    Source_Bind Last_IO_Error_Timestamp= Last_SQL_Error_Timestamp= Retrieved_Gtid_Set= Executed_Gtid_Set= \
    Auto_Position=1 Replicate_Rewrite_DB";

/// One row, as in native Dolt.
pub fn status(names: ReplicaNames) -> Listing {
    let columns: Vec<(String, Option<&str>)> = COLUMNS
        .split(' ')
        .map(|column| {
            let (name, value) = column.split_once('=').map_or((column, None), |(name, value)| (name, Some(value)));
            let name = match names {
                ReplicaNames::Former => name.replace("Source", "Master").replace("Replica", "Slave"),
                ReplicaNames::Current => name.to_owned(),
            };
            (name, value)
        })
        .collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
    let mut listing = Listing::new(&names);
    listing.push(columns.iter().map(|(_, value)| value.map_or(Value::Null, Value::text)).collect());
    listing
}
