import { valuesAndCookies } from './rule-targets.ts'
import type { WrittenRule } from './written-rule.ts'

/** What templates of FreeMarker and Velocity do before they can do harm; neither is a language that people write in elsewhere. */
const directivesOfJava = [
  String.raw`#(?:set|foreach|evaluate|parse|include|macro)\s*\(\s*["'$#]`,
  String.raw`(?:<|\[)#(?:assign|include|import|function|setting|list)\s`,
  String.raw`\d\?(?:lower|upper)_abc\b|["')\w]\?(?:interpret|eval|api)\b`,
  String.raw`\$\{\s*\.(?:version|globals|data_model|main|locals|vars|now|template_name)\b`,
  String.raw`[$#]\{\s*(?:(?:application|session|request|page)Scope|pageContext|initParam|(?:param|header)Values|facesContext)\b|\$\{\s*(?:param|header|cookie)[.[]`,
  String.raw`\$!?\{?\w{1,40}\.(?:getClass\s*\(|class\.)|\$!\{\w{1,40}\.class\b`,
  String.raw`\$\w{1,40}\.(?:inspect|getInputStream|getRuntime|toChars|forName|waitFor|exitValue)\s*\(`,
  String.raw`\[=\s*["'\d(]`,
].join('|')

/** Of Jinja, Twig, Django, Handlebars and Go: what loads other templates, shows all that there is, or calls a method of a string. */
const directivesOfScripts = [
  String.raw`\{%-?\s*(?:include|extends|import|from|load|debug|set)\s|\{%-?\s*print\b`,
  String.raw`\{%-?\s*for\s[^%]*\sin\s+(?:config|request|self|\(|\[|["'])`,
  String.raw`\{\{-?[^}]*(?:\b(?:dump|include|constant)\s*\(|\blookup\s[^}]*["']constructor|\bconfig\s*[.[]|["']\s*\.\s*\w{1,40}\s*\(|\.toUPPERCASE\s*\(|\b_context\b|\bsigner\.key\b|\|\s*(?:file_excerpt|getattr|attr)\s*\()`,
  String.raw`^\s*\{%-?\s*(?:raw|verbatim|csrf_token|with|do|call|sandbox|autoescape|ssi|apply|embed)\b`,
  String.raw`\{\{-?[^}]*\b(?:source|attribute|template_from_string|block|parent)\s*\(|\{\{-?\s*session\s*[|}]|\{\{\{?#each\s+this\}`,
  String.raw`\{(?:php|literal)\}|\{(?:fetch|include|insert|include_php|eval|config_load)\s+[^}]{0,80}=|\{\$smarty\.|\{\$\w{1,40}->\w`,
  String.raw`\{\{-?\s*(?:\.Env\b|template\s|define\s)`,
].join('|')

/** What expressions in pages of servers begin with that reach for the system or for a session. */
const expressionsOfServers = [
  String.raw`<%=?\s*(?:require\s*["'(]|System\.\w|File\.\w|Dir\.\w|IO\.\w|Kernel\.\w|ENV\b|CreateObject\s*\(|(?:self|session|request|config|params|global|process|application)(?:\.\w|\s*%>))|<%\s*(?:import|from)\s+\w|\$\{\s*(?:self|context|caller|capture|parent)\.\w`,
  String.raw`#\{\s*(?:root|global|process|this|require)\s*[.([]|\b(?:root|global|globalThis)\.process\b`,
  String.raw`<xsl:\w[^>]{0,200}\b(?:system-property|document|unparsed-text)\s*\(|<xsl:(?:include|import|result-document)\s`,
  String.raw`^\s*!?=\s*(?:global\.)?process\b|^\s*@(?:DateTime\.(?:Utc)?Now|Html\.Raw\s*\(|Environment\.\w)`,
  String.raw`@\(?\{?\s*System\.(?:IO|Diagnostics|Reflection|Net|Environment|Web)\.`,
  String.raw`[#$]\{\s*(?:session|request|application|param|header|cookie|response)\.(?:[gs]et\w{1,40}|invalidate)\s*\(`,
].join('|')

const behindSeparator = String.raw`(?:^|[;|&\r\n\x60(])\s*`

/** Programs of Windows that run what is elsewhere or what they are told, with what they need for it. */
const commandsOfWindows = [
  String.raw`(?:mshta|regsvr32|rundll32|msiexec|cscript|wscript|installutil|bitsadmin)(?:\.exe)?\s[^\r\n]{0,200}(?:https?:|javascript:|vbscript:|\x5c\x5c|/i:|/transfer\b)`,
  String.raw`wmic(?:\.exe)?\s+(?:process|os|useraccount|/node)\b`,
  String.raw`%comspec%|(?:powershell|pwsh)(?:\.exe)?\s+(?:[a-z]:\x5c|["'&(]|(?:get|start|invoke|new|set)-\w)`,
  String.raw`(?:iex|invoke-expression|invoke-webrequest|iwr|start-process)\s*[\s(]\s*["'($\w-]|\(\s*gcm\s+\*|get-content\s+[a-z]:\x5c`,
  String.raw`(?:schtasks|vssadmin|wevtutil|nltest|bcdedit|icacls|takeown|dsquery|fsutil|whoami|netstat|arp|findstr|tasklist|systeminfo)(?:\.exe)?\s+[/-][a-z]`,
  String.raw`for\s+/[fldr]\s|set\s+\w{1,20}=[^&|]{1,80}&+\s*(?:call|echo|cmd)\b|route\s+print\b|ping\s+-n\s+\d`,
].join('|')

/** What scripts of PowerShell fetch and decode with, anywhere in a value. */
const namesOfPowerShell = String.raw`\[(?:System\.)?(?:Convert|Text\.Encoding|Net\.\w{1,40}|Reflection\.Assembly|IO\.File|Diagnostics\.Process)\]::|\bNew-Object\s+(?:System\.)?(?:Net|IO|Diagnostics)\.|\.Download(?:String|File|Data)\s*\(|\bInvoke-(?:Expression|WebRequest|RestMethod|Command)\s+[-"'$({]`

/** Programs of Unix that open a shell elsewhere, or turn digits and letters into a command. */
const commandsOfUnix = [
  String.raw`g?awk\s+["']?\s*BEGIN\b`,
  String.raw`openssl\s+s_client\b|socat\s+\S{0,80}(?:exec|tcp|system):`,
  String.raw`find\s+\S{1,80}\s+(?:-\S+\s+\S+\s+)?-exec\b`,
  String.raw`(?:cat\s+\x60?|\x60)?xxd\s+-r\b`,
  String.raw`tr\s+["']\S{1,20}["']\s+["']\S{1,20}["']\s*<`,
  String.raw`(?:nc|ncat|netcat)\s+-\w{0,6}[el]\w{0,4}\s`,
  String.raw`(?:cat|tac|nl|less|more|head|tail|sort|paste|od|strings|hexdump|base64|rev|grep|cp|mv|tee|dd|ln|stat|file)\s+(?:-\w+\s+|["']{2}\s+)?[^\s|;&]{0,40}/(?:etc|proc|root|dev)/`,
  String.raw`eval\s+["\x60]?\$?\(|exec\s+\d{1,3}<>|<\(\s*(?:echo|curl|wget|cat|printf)\s|\{[a-z]{2,8},(?:[/-][\w/.,-]*)?\}`,
  String.raw`crontab\s+-[ler]\b|xargs\s+-a\b|tar\s+\S{1,4}\s[^\r\n]{0,80}--checkpoint`,
].join('|')

/** A word with a mark in it that a shell takes out: `wh""oami`, `who^ami`. */
const wordWithMark = String.raw`^[;|&\s]*[a-z]{2,8}(?:""|''|\x60\x60|\^|\$\(\))[a-z]{2,8}\s*[;|&]?\s*$`

/** Functions of databases that attackers put a query into, since they tell of it in an error or in time. */
const functionsOfDatabases = String.raw`\b(?:gtid_sub(?:set|tract)|extractvalue|updatexml|load_file|randomblob|json_keys|xmltype)\s*\(\s*(?:\(|concat|select|0x|\d{4}|\d+\s*,\s*concat)|\b(?:name_const|(?:multi)?(?:polygon|point|linestring)|geometrycollection|make_set|exp|elt)\s*\(\s*\(?\s*(?:select\b|~|concat\s*\(|0x)|\b(?:openrowset|opendatasource|pg_read_(?:binary_)?file|pg_ls_dir|lo_import|query_to_xml|database_to_xml|httpuritype|dblink(?:_connect)?)\s*\(\s*["'\d$]|\bctxsys\.|\bdbms_(?:session\.sleep|xmlgen|xmlquery|xslprocessor)\b|\brdb\$\w|\bmsysobjects\b|\bsysibm\.\w|~\s*\(\s*select\b`

/** 948180 to 948189: attacks in languages of templates, shells, databases and documents that the Core Rule Set does not look for. */
export const languageRules: readonly WrittenRule[] = [
  {
    id: 948180,
    message: 'Directive of a template',
    targets: valuesAndCookies,
    pattern: `(?:${directivesOfJava}|${directivesOfScripts})`,
    tags: ['attack-rce'],
  },
  {
    id: 948181,
    message: 'Expression of a page that reaches for the system or for a session',
    targets: valuesAndCookies,
    pattern: `(?:${expressionsOfServers})`,
    tags: ['attack-rce'],
  },
  {
    id: 948182,
    message: 'Command of Windows that runs what is elsewhere',
    targets: valuesAndCookies,
    pattern: `(?i)(?:${behindSeparator}(?:${commandsOfWindows})|${namesOfPowerShell})`,
    tags: ['attack-rce', 'platform-windows'],
  },
  {
    id: 948183,
    message: 'Command of Unix that opens a shell or reads one, or that is disguised',
    targets: valuesAndCookies,
    pattern: `(?:${behindSeparator}(?:${commandsOfUnix})|${wordWithMark})`,
    tags: ['attack-rce', 'platform-unix'],
  },
  {
    id: 948184,
    message: 'Statement of Cypher, Redis, memcached or Solr behind the end of a value',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)["'})]\s*(?:[^"'\r\n]{0,120}\s)?(?:detach\s+delete\s+\w|(?:return|delete)\s+\w+(?:\.\w+)?\s*//)|^\s*load\s+csv\s+(?:with\s+headers\s+)?from\b|\bcall\s+(?:db|dbms|apoc)\.\w+[\w.]*\s*\(|\x5cr\x5cn\s*(?:flush_?all|slaveof|set|get|config|eval|delete)\b[^\r\n]{0,200}\x5cr\x5cn|\r\n\s*(?:flush_?all\b|slaveof\s|config\s+set\s|set\s+\S{1,80}(?:\s+\d+){3}|eval\s+["'])|\{!(?:xmlparser|dataimport)\b|^\s*eval\s+["'][^"']{0,200}["']\s+\d|(?:^|[?&])stream\.(?:url|file|body)=`,
    tags: ['attack-sqli'],
  },
  {
    id: 948185,
    message: 'Statement of SQL that tells of others in an error or in time, or that writes a file',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)${functionsOfDatabases}|\battach\s+database\s*["']|["'\d)]\s*union\s+(?:table\s+\w|values\s+row\b)|^\s*select\s+@@\w|^\s*[\x60"']\s*x?or\s*[\x60"']\d|\x5c["']\s*(?:x?or|and|union)\s[^"'\r\n]{0,80}(?:--|#|/\*)|\bsqlite_version\s*\(\s*\)|["'\d)]\s*(?:and|x?or|\|\||&&)\s*(?:not\s+)?\(?(?:json_\w{1,30}|["']\s*[{[][^\r\n]{0,200}["']\s*::\s*json)|\(\s*select\s+case\s+when\b|,\s*\(?case\s+when\b[^\r\n]{1,200}\bthen\b|["']\s+(?:not\s+)?(?:glob|ilike|similar\s+to|sounds\s+like)\s*["'(]|\bwhere\s+(?:binary\s+)?\d{1,9}\s*=\s*\d{1,9}\s*(?:$|[)\x5c;,'"]|--|\x23|/\*|\b(?:and|x?or|union|limit|order|group|having)\b)|\biif\s*\(\s*\d+\s*=|\bsysmaster:sys|\bfrom\s+(?:sqlite_(?:master|schema|sequence)|pg_(?:user|shadow|database|tables|catalog)|mysql\.user|v\$\w|sysobjects|sysusers|all_(?:tables|users))\b|\bfrom\s*\(?dual\s*(?:\)|$|--|#|where\b|union\b)|\b(?:n?char|chr)\s*\(\s*\d+\s*\)\s*(?:\|\||\+)\s*(?:n?char|chr)\s*\(|["']\s*[-^|&*/%=]\s*\d+\s*(?:#|--\s|[-^|&*/%=]\s*["']?\s*$)`,
    tags: ['attack-sqli'],
  },
  {
    id: 948186,
    message: 'Member by which the objects of JavaScript are changed, in a text',
    targets: valuesAndCookies,
    pattern: String.raw`["']__proto__["']\s*:|["']constructor["']\s*:\s*\{\s*["']prototype["']|\bObject\.(?:__proto__\b|constructor\s*[.[])`,
    tags: ['attack-rce'],
  },
  {
    id: 948187,
    message: 'Call of JavaScript without parentheses, or of a script that is elsewhere',
    targets: valuesAndCookies,
    pattern: String.raw`\b(?:set(?:Timeout|Interval)|Function|eval|constructor)\s*\x60[^\x60]{0,200}(?:\(|\x5cx28)|\bonerror\s*=\s*(?:alert|eval|confirm|prompt)\b|^\s*(?:import|\$\.getScript)\s*\(\s*["'\x60](?:https?:)?//|^\s*\w{1,8}\s*=\s*(?:alert|prompt|confirm)\s*[,;]`,
    tags: ['attack-xss'],
  },
  {
    id: 948188,
    message: 'Formula that fetches or runs something when a table is opened',
    targets: valuesAndCookies,
    pattern: String.raw`^\s*(?:[=+@-]\s*(?:IMPORT(?:XML|DATA|HTML|FEED|RANGE)|WEBSERVICE|FILTERXML|RTD|CALL|REGISTER\.ID)\s*\(|[=+@-]\s*HYPERLINK\s*\([^)\r\n]{0,200}["']\s*&|[=+@-][^|\r\n]{0,60}\|\s*'[^'\r\n]{0,200}'!|=?\s*DDE\s*\(\s*["'])`,
    tags: ['attack-rce'],
  },
  {
    id: 948189,
    message: 'Command of TeX that runs a program or reads a file of the system',
    targets: valuesAndCookies,
    pattern: String.raw`\x5cwrite18\b|\x5ccatcode\s*\x60|\x5c(?:immediate|newread|newwrite|openout)\b|\x5c(?:input|include|lstinputlisting|verbatiminput|openin\S{0,20}=)\s*\{?\s*/(?:etc|proc|var|home|root)/|\x5cinput\s*\{?\s*["']?\|`,
    tags: ['attack-rce'],
  },
]
