import type { RuleSource } from '@palisade/seclang'
import { ownRuleSource } from './own-rules.ts'
import { type WrittenRule, writtenRule } from './written-rule.ts'

/** One rule is enough. */
const threshold = 5

const values = 'REQUEST_COOKIES|ARGS_NAMES|ARGS|XML:/*'
const valuesAndHeaders = `${values}|REQUEST_HEADERS:User-Agent|REQUEST_HEADERS:Referer`
const addressAndValues = `REQUEST_URI_RAW|${values}`

const decoded = ['htmlEntityDecode', 'removeNulls']
/** Comments and blanks are what statements are cut with. */
const asSql = [...decoded, 'replaceComments', 'compressWhitespace']
/** Quotation marks, carets and backslashes are what commands are cut with. */
const asCommand = [...decoded, 'cmdLine']

/**
 * The end of a string that the value is put into: a quotation mark of which there were as many before as close each other, and that does not
 * open a string of JSON or a sentence's quotation.
 */
const endOfString = ['"', "'", String.raw`\x60`]
  .map(
    (mark) =>
      String.raw`^(?:[^${mark}]*${mark}[^${mark}]*${mark})*(?:${mark}|[^${mark}]*(?:[^${mark}\s,:[({\x5c>]${mark}|\s${mark}[\s)|&]|[^,:[({\x5c=\s]\x5c${mark}|^\x5c${mark}))`,
  )
  .join('|')
const behindString = String.raw`(?:${endOfString}|\x5c(?:""|''))\s*\)*\s*`
/** The end of the number that a value begins with, or of a bracket that it has not opened. */
const endOfNumber = String.raw`(?:^|[=(])\s*-?\d[\d.]*\s*\)*\s*|^[^()"'\x60]{0,80}\)+\s*`
const logicalOperators = String.raw`\b(?:x?or|and|not\s+(?:like|in|between|regexp|rlike)|having|where|rlike|div|mod)\b|\|\||&&`
const comparison = String.raw`(?:[=<>]|!=|\b(?:like|in|between|is|regexp|rlike|sounds)\b)`
const databaseFunctions = [
  String.raw`sleep\s*\(\s*\d`,
  String.raw`benchmark\s*\(`,
  String.raw`pg_sleep\s*\(`,
  String.raw`waitfor\s+delay\s`,
  String.raw`(?:extractvalue|updatexml|load_file|randomblob|zeroblob|load_extension|group_concat|string_agg|xmltype)\s*\(`,
  String.raw`dbms_(?:pipe|lock|ldap|java)\b`,
  String.raw`utl_(?:http|inaddr|file|smtp)\b`,
  String.raw`\bxp_(?:cmdshell|reg\w+|dirtree|fileexist)\b`,
  String.raw`\bsp_(?:executesql|oacreate|password|makewebtask)\b`,
  String.raw`into\s+(?:out|dump)file\b`,
  String.raw`information_schema\b|sqlite_(?:master|schema)\b|pg_(?:catalog|shadow|user|tables)\b|sys(?:\.(?:tables|objects|databases|user_objects)|objects|columns)\b|all_tab(?:le|_column)s\b|mysql\.user\b`,
  '@@(?:version|hostname|datadir|servername)',
].join('|')

/** Programs that attackers call, which are hardly ever words of a text behind a mark that separates commands. */
const programs =
  'cat|ls|id|whoami|uname|pwd|ps|wget|curl|nc|ncat|netcat|bash|sh|zsh|dash|ksh|python[23]?|perl|ruby|php|node|ping|nslookup|dig|ifconfig|ipconfig|netstat|echo|printf|sleep|rm|chmod|chown|tac|nl|sed|awk|grep|env|dir|systeminfo|tasklist|powershell|pwsh|cmd|certutil|bitsadmin|mshta|rundll32|telnet|ssh|scp|ftp|tftp|base64|xxd|busybox|socat|xterm|mkfifo|crontab|kill|reboot|shutdown'

/** Of programs, those that are words of texts: with something behind them that no sentence has there. */
const wordsOfPrograms = 'touch|head|tail|more|less|find|set|type'

const functionsOfPhp =
  'system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|eval|assert|create_function|call_user_func(?:_array)?|preg_replace|file_(?:get|put)_contents|fopen|readfile|include(?:_once)?|require(?:_once)?|phpinfo|base64_decode|gzinflate|str_rot13|move_uploaded_file|unserialize|highlight_file|show_source|ini_set|getenv|array_map|array_filter|usort'

const privateFiles = [
  String.raw`etc/+(?:passwd|shadow|group|hosts|issue|crontab|sudoers|ssh|mysql|nginx|apache2?|httpd|php)\b`,
  String.raw`proc/+(?:self|version|cmdline|environ|\d+|mounts|net)\b`,
  String.raw`(?:var/+log|root/+\.|home/+[\w.-]+/+\.)`,
  String.raw`(?:boot|win|system)\.ini\b`,
  String.raw`windows/+(?:system32|win\.ini|repair|debug)\b`,
  String.raw`(?:^|/)\.(?:git/(?:config|head|index|logs)|svn/|hg/|env(?:\.\w+)?$|ht(?:access|passwd|digest)\b|ssh/|aws/|docker/|npmrc$|bash_history\b|mysql_history\b)`,
  String.raw`(?:^|/)(?:web-inf/|meta-inf/|wp-config\.php|id_[dr]sa\b|web\.config\b)`,
].join('|')

/**
 * Candidates alone: what is in them of ordinary text is let pass by the second stage (`second-opinions/second-stage.ts`), which judges by
 * the hundreds of the numbers. A number is that of the rule of the Core Rule Set which is for the same, where there is one, so that exceptions
 * stay what they are when that is installed.
 */
const basicRules: readonly WrittenRule[] = [
  {
    id: 921120,
    message: 'Head of an answer in a value',
    targets: values,
    pattern: String.raw`(?i)[\r\n]\s*(?:content-(?:type|length)|set-cookie|location|http/[\d.]+)\s*[: ]`,
    tags: ['attack-protocol'],
    transformations: ['htmlEntityDecode'],
  },
  {
    id: 913100,
    message: 'Client that looks for weaknesses',
    targets: 'REQUEST_HEADERS:User-Agent',
    pattern: String.raw`(?i)\b(?:sqlmap|nikto|nessus|acunetix|netsparker|openvas|w3af|wpscan|dirbuster|gobuster|feroxbuster|nuclei|havij|arachni|masscan|zgrab|whatweb|jorgee|joomscan|commix|xsser|fimap|skipfish|burpcollaborator|qualys|appscan|webinspect|zmeu)\b`,
    tags: ['attack-reputation-scanner'],
  },
  {
    id: 930100,
    message: 'Way out of a folder',
    targets: `${addressAndValues}|REQUEST_HEADERS:Referer`,
    pattern: String.raw`(?:^|[/\x5c=:;,"'])\.{2,3}[/\x5c](?:\.{2,3}[/\x5c]|[^.]|$)|[/\x5c]\.\.(?:$|[;?#])`,
    tags: ['attack-lfi'],
    transformations: ['urlDecodeUni', 'utf8toUnicode', 'urlDecodeUni', 'removeNulls'],
  },
  {
    id: 930120,
    message: 'Name of a file of the system or of settings',
    targets: addressAndValues,
    pattern: `(?i)(?:${privateFiles})`,
    tags: ['attack-lfi'],
    transformations: ['urlDecodeUni', 'removeNulls', 'normalizePathWin'],
  },
  {
    id: 931100,
    message: 'File from elsewhere where a file of the application belongs',
    targets: 'ARGS',
    pattern: String.raw`(?i)^\s*(?:(?:php|expect|zip|phar|glob|ssh2|rar|ogg|data|zlib|compress\.\w+|file|jar|gopher|dict|ldaps?|netdoc|view-source)://|data:[\w/+;=-]*(?:base64,|text/html)|(?:https?|ftps?)://(?:\d{1,3}\.){3}\d{1,3}|(?:https?|ftps?)://[^?]*\?+$)`,
    tags: ['attack-rfi'],
  },
  {
    id: 932100,
    message: 'Command behind a mark that separates commands',
    targets: valuesAndHeaders,
    pattern: String.raw`(?i)(?:[;|&\n\x60]|\$\(|<\(|>\()\s*(?:[\w./~]*/)?(?:(?:${programs})(?:\.exe)?(?:[\s;|&<>)\x60,}/]|$)|(?:${wordsOfPrograms})(?:\.exe)?(?:\s+[-/~.$*"'%\d]|\s*(?:[<>)\x60]|$)))|\{(?:${programs}|${wordsOfPrograms}),|\{\s*(?:${programs}|${wordsOfPrograms});|^\s*(?:${programs}|${wordsOfPrograms})\s+(?:-\w|/\w|https?://)`,
    tags: ['attack-rce'],
    transformations: asCommand,
  },
  {
    id: 932130,
    message: 'Expression that a shell evaluates',
    targets: valuesAndHeaders,
    pattern: String.raw`\$\((?:\(|[\w./]+[\s)])|\$\{(?:IFS|PATH|HOME|[#!@*?]|[A-Z_]+[:/^,%#])|\$IFS\b|<\([\w./]|>\([\w./]`,
    tags: ['attack-rce'],
    transformations: decoded,
  },
  {
    id: 932160,
    message: 'Path of a shell or of a program',
    targets: valuesAndHeaders,
    pattern: String.raw`(?i)(?:^|[\s;|&=("'\x60])/?(?:usr/(?:local/)?)?s?bin/+(?:${programs}|${wordsOfPrograms})\b|\bcmd(?:\.exe)?\s+/[ck]\b|\bpowershell(?:\.exe)?\s+-\w|/dev/(?:tcp|udp)/`,
    tags: ['attack-rce'],
    transformations: asCommand,
  },
  {
    id: 932170,
    message: 'Function of the environment of a shell',
    targets: 'REQUEST_HEADERS|REQUEST_LINE|ARGS|ARGS_NAMES',
    pattern: String.raw`\(\s*\)\s*\{`,
    tags: ['attack-rce'],
  },
  {
    id: 933100,
    message: 'Tag of PHP',
    targets: values,
    pattern: String.raw`(?i)<\?(?:php\b|=|\s*(?:echo|system|eval|\$))|\[/?php\]`,
    tags: ['attack-injection-php'],
    transformations: decoded,
  },
  {
    id: 933150,
    message: 'Function of PHP that is called, or variable of a request',
    targets: values,
    pattern: String.raw`(?i)(?:^|[^\w>])(?:${functionsOfPhp})(?:\(\s*[^)\s]|\s+\(\s*["'$])|\$_(?:get|post|request|server|cookie|files|env|session)\b|\$GLOBALS\b|php://|<\?`,
    tags: ['attack-injection-php'],
    transformations: decoded,
  },
  {
    id: 933170,
    message: 'Serialized object of PHP',
    targets: `${values}|REQUEST_HEADERS`,
    pattern: String.raw`[oOcC]:\d+:".+?":\d+:\{`,
    tags: ['attack-injection-php'],
  },
  {
    id: 934100,
    message: 'Code of Node.js',
    targets: values,
    pattern: String.raw`(?i)\brequire\s*\(\s*["'\x60](?:child_process|fs|net|http|os|vm)|\bprocess\s*\.\s*(?:env|exit|binding|mainmodule)\b|\bchild_process\b|_\$\$nd_func\$\$_|__proto__\b|\bconstructor\s*[.[]\s*["']?prototype`,
    tags: ['attack-rce'],
    transformations: decoded,
  },
  {
    id: 941110,
    message: 'Element that runs a script',
    targets: valuesAndHeaders,
    pattern: String.raw`(?i)<[\s/]*(?:script|iframe|frame(?:set)?|object|embed|applet|meta|base|link|style|form|isindex|import|xss|layer|bgsound)(?:[\s/>"']|$)`,
    tags: ['attack-xss'],
    transformations: decoded,
  },
  {
    id: 941160,
    message: 'Attribute that runs a script',
    targets: valuesAndHeaders,
    pattern: String.raw`(?i)(?:<[a-z!?/][^>]*[\s"'/\x0b\x0c]|["'\x60][\s/]*)(?:on[a-z]{3,30}|formaction|srcdoc|xlink:href|attributename)[\s\x0b\x0c]*=`,
    tags: ['attack-xss'],
    transformations: decoded,
  },
  {
    id: 941170,
    message: 'Address that runs a script',
    targets: valuesAndHeaders,
    pattern: String.raw`(?i)(?:(?:java|vb|live)\s*script\s*:|data:\s*(?:text/html|image/svg|application/x?html)|-moz-binding\s*:|expression\s*\(|@import\s)`,
    tags: ['attack-xss'],
    transformations: ['htmlEntityDecode', 'jsDecode', 'removeNulls', 'removeWhitespace'],
  },
  {
    id: 941180,
    message: 'Script that reads or changes the page',
    targets: values,
    pattern: String.raw`(?i)\b(?:document\s*\.\s*(?:cookie|write(?:ln)?|domain|location)|window\s*\.\s*(?:location|open|name|eval)|(?:self|top|parent|this|window|globalthis)\s*\[|(?:alert|confirm|prompt|eval|settimeout|setinterval|fetch|import|atob)\s*(?:\(|\x60|\.call|\?\.))`,
    tags: ['attack-xss'],
    transformations: [...decoded, 'jsDecode'],
  },
  {
    id: 942140,
    message: 'Table or function of a database that applications hardly name',
    targets: valuesAndHeaders,
    pattern: `(?i)(?:${databaseFunctions})`,
    tags: ['attack-sqli'],
    transformations: asSql,
  },
  {
    id: 942190,
    message: 'Statement behind another one, or united with it',
    targets: valuesAndHeaders,
    pattern: String.raw`(?i)\bunion\b[\s(]+(?:(?:all|distinct)\b[\s(]+)?select\b|;\s*(?:select|insert|update|delete|drop|alter|create|truncate|exec(?:ute)?|declare|shutdown|grant|merge|call|handler|if\s*\()\b|\bselect\b[^;]{1,400}?\bfrom\b|\b(?:insert\s+into|delete\s+from|drop\s+(?:table|database|schema|user)|update\s+\w+\s+set)\b`,
    tags: ['attack-sqli'],
    transformations: asSql,
  },
  {
    id: 942390,
    message: 'Comparison behind the end of a string or of a number',
    targets: valuesAndHeaders,
    pattern: String.raw`(?i)(?:${behindString}(?:${logicalOperators}|[=^*+-]|/(?=[\s\d("'\x60@!~+-]))|(?:${endOfNumber})(?:${logicalOperators}))[\s(!~+-]*["'\x60(\w@-][^;]{0,200}?(?:${comparison}|\bnull\b|--|#|/\*|["'\x60)])`,
    tags: ['attack-sqli'],
    transformations: asSql,
  },
  {
    id: 942440,
    message: 'End of a string before a comment, an order or a limit',
    targets: values,
    pattern: String.raw`(?i)(?:^(?:[^"]*"[^"]*")*[^"]*"|^(?:[^']*'[^']*')*[^']*'|^\s*\d+|\))\s*\)*\s*(?:;\s*)?(?:--(?:[\s+-]|$)|#\s*$|/\*)|["'\x60)]\s*(?:order\s+by|group\s+by|limit|procedure\s+analyse|into)\b`,
    tags: ['attack-sqli'],
    transformations: decoded,
  },
  {
    id: 944150,
    message: 'Lookup of Log4j, or expression of a framework of Java',
    targets: `${valuesAndHeaders}|REQUEST_HEADERS|REQUEST_LINE`,
    pattern: String.raw`(?i)\$\{(?:[^}]{0,60}(?:jndi|ctx|lower|upper|env|sys|java|date|::-)[^}]*[:}])|[%$]\{\s*\(?\s*#|#_memberaccess\b|\bclass\.(?:module\.)?classloader\b|java\.lang\.(?:runtime|processbuilder|system)\b|\b(?:getruntime|processbuilder)\s*\(|T\(\s*java\.`,
    tags: ['attack-rce', 'language-java'],
    transformations: ['htmlEntityDecode', 'jsDecode'],
  },
  {
    id: 921200,
    message: 'Filter of LDAP behind the end of another',
    targets: values,
    pattern: String.raw`\*?\)\s*\(\s*[&|!]?\s*\(?\s*[\w-]+\s*[~<>]?=|^\s*\*\s*\)\s*\(|\(\s*[&|]\s*\(\s*[\w-]+\s*=`,
    tags: ['attack-ldap'],
  },
  {
    id: 931140,
    message: 'Document that declares entities',
    targets: 'ARGS',
    pattern: String.raw`(?i)<!(?:ENTITY\s+%?\s*[\w:.-]+\s|DOCTYPE\s[^>[]*(?:\bSYSTEM\b|\bPUBLIC\b[^>]*["'](?!-//W3C//DTD)|\[))`,
    tags: ['attack-rfi'],
  },
]

/** What the rules add their score to. */
const setup = `SecAction "id:901001,phase:1,pass,nolog,t:none,setvar:'tx.critical_anomaly_score=${threshold}',setvar:'tx.anomaly_score_pl1=0',setvar:'tx.inbound_anomaly_score_pl1=0'"`

/** Refuses by the score, as the rule of this number does in the Core Rule Set. */
const judgement = `SecRule TX:anomaly_score_pl1 "@ge ${threshold}" "id:949110,phase:2,deny,status:403,t:none,log,msg:'Inbound Anomaly Score Exceeded (Total Score: %{TX.anomaly_score_pl1})',tag:'anomaly-evaluation',severity:'CRITICAL'"`

/**
 * For machines without the Core Rule Set: a few dozen rules for the attacks that most scanners and worms try, at one level, and those of
 * `own-rules.ts`. They are no substitute for it: they have no rules about the protocol or about answers, nor for the many spellings that it knows.
 */
export const basicRuleSources: readonly RuleSource[] = [
  { name: 'settings of the basic rules', text: setup },
  ownRuleSource,
  { name: 'basic rules', text: basicRules.map(writtenRule).join('\n') },
  { name: 'judgement of the basic rules', text: judgement },
]
