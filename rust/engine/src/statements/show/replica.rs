//! SHOW REPLICA STATUS of a server without replication.

use parse::ast::ReplicaNames;

use crate::statements::listing::Listing;

const COLUMNS: &str = "\
    Replica_IO_State Source_Host Source_User Source_Port Connect_Retry Source_Log_File Read_Source_Log_Pos \
    Relay_Log_File Relay_Log_Pos Relay_Source_Log_File Replica_IO_Running Replica_SQL_Running Replicate_Do_DB \
    Replicate_Ignore_DB Replicate_Do_Table Replicate_Ignore_Table Replicate_Wild_Do_Table \
    Replicate_Wild_Ignore_Table Last_Errno Last_Error Skip_Counter Exec_Source_Log_Pos Relay_Log_Space \
    Until_Condition Until_Log_File Until_Log_Pos Source_SSL_Allowed Source_SSL_CA_File Source_SSL_CA_Path \
    Source_SSL_Cert Source_SSL_Cipher Source_SSL_CRL_File Source_SSL_CRL_Path Source_SSL_Key \
    Source_SSL_Verify_Server_Cert Seconds_Behind_Source Last_IO_Errno Last_IO_Error Last_SQL_Errno Last_SQL_Error \
    Replicate_Ignore_Server_Ids Source_Server_Id Source_UUID Source_Info_File SQL_Delay SQL_Remaining_Delay \
    Replica_SQL_Running_State Source_Retry_Count Source_Bind Last_IO_Error_Timestamp Last_SQL_Error_Timestamp \
    Retrieved_Gtid_Set Executed_Gtid_Set Auto_Position Replicate_Rewrite_DB";

/// No rows, as in MySQL; native Dolt has one of a replica that does not run.
pub fn status(names: ReplicaNames) -> Listing {
    let columns: Vec<String> = COLUMNS
        .split(' ')
        .map(|name| match names {
            ReplicaNames::Former => name.replace("Source", "Master").replace("Replica", "Slave"),
            ReplicaNames::Current => name.to_owned(),
        })
        .collect();
    Listing::new(&columns.iter().map(|name| &**name).collect::<Vec<_>>())
}
