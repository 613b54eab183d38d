function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** Words that no table and no column is called, and that English puts before a noun, or in its place. */
export const determiners = words(
  'the a an this that these those your our my his her its their some any each every one another it them you us me which what whichever ' +
    'other more most several many few both either neither such',
)

/** Operators that are words, after which a value stands. */
export const logicalWords = words('or and xor having where when not on')

export const comparisonWords = words(
  'like rlike ilike regexp glob is in between similar sounds match not div mod collate overlaps escape binary',
)

/** What else a database reads behind a string. */
export const wordsBehindStrings = words(
  'isnull notnull at operator member uescape within filter over div rlike escape sounds',
)

/** What may stand behind a whole expression. */
export const clauseWords = words(
  'union order group limit having procedure into for returning except intersect minus offset fetch then else end as from where window',
)

export const constantWords = words('true false null unknown default current_user current_timestamp')

/** What statements begin with. */
export const statementWords = words(
  'select insert update delete drop create alter truncate exec execute declare waitfor shutdown merge replace call grant revoke load copy ' +
    'set handler rename with attach detach pragma show describe desc explain backup restore bulk begin do if while use print analyze vacuum ' +
    'reconfigure kill dbcc raiserror prepare deallocate import lock reset savepoint rollback commit values table',
)

/** Functions that no sentence calls. */
export const functions = words(
  'sleep benchmark pg_sleep extractvalue updatexml load_file char chr nchar ascii ord substr substring mid concat concat_ws group_concat ' +
    'string_agg version database schema user current_user session_user system_user hex unhex xmltype dbms_pipe ctxsys utl_http utl_inaddr ' +
    'randomblob zeroblob load_extension ifnull nullif coalesce isnull iif convert cast openrowset opendatasource openquery xp_cmdshell ' +
    'row_count rand randn elt make_set export_set find_in_set gtid_subset json_keys polygon multipoint linestring geometrycollection exp ' +
    'floor to_char to_number instr lpad rpad length len datalength char_length bin conv md5 sha1 sha decode encode crypt lo_import ' +
    'lo_export pg_read_file pg_ls_dir query_to_xml database_to_xml generate_series count sum min max avg row name_const analyse ' +
    'last_insert_rowid sqlite_version typeof quote soundex unicode exists db_name host_name is_srvrolemember like regexp_like',
)

/** Names of a database's own tables and packages, and words that nothing but statements have. */
export const tellingName =
  /^(?:information_schema|sysobjects|syscolumns|sysusers|sysdatabases|syslogins|pg_(?:catalog|sleep|shadow|user|tables|class|read_file|ls_dir)|sqlite_(?:master|schema|temp_master)|all_(?:tables|users|tab_columns)|user_(?:tables|tab_columns|objects)|dba_\w+|xp_\w+|sp_\w+|dbms_\w+|utl_\w+|ctxsys|msysaccessobjects|msysobjects|outfile|dumpfile|waitfor|openrowset|opendatasource|openquery|analyse|load_file|xmltype|extractvalue|updatexml|randomblob)$/
