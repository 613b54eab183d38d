import { everywhere, valuesAndCookies } from './rule-targets.ts'
import type { WrittenRule } from './written-rule.ts'

/** Where one command ends and another begins. */
const betweenCommands = String.raw`(?:;|\|{1,2}|&{1,2}|[\r\n]|\x5cn|\$\(|\x60)`

/** What stands before such a mark where somebody tries it: nothing, one character, a number or address, or the end of a string. */
const beforeMark = String.raw`(?:\w?|\d[\d.]{0,14}|/[\w./-]{1,60}|[^;|&\r\n]{0,30}["')])`

/** Commands that tell about a machine and need no arguments. */
const commandsAboutMachines =
  '(?:id|ls|ll|dir|pwd|ver|set|env|ps|whoami|hostname|uname|ifconfig|ipconfig|netstat|printenv|systeminfo|sysinfo|tasklist|phpinfo\\(\\))'

/** Programs that a value begins with behind such a mark, whatever follows. */
const programsAtBeginning = [
  'apropos|apt(?:-get)?|basename|blkid|bzip2|chattr|chgrp|chmod|chown|chroot|cksum|compgen|coproc|cpio|crontab|csplit|df|dig|dirname|dmesg|dpkg|du|egrep',
  'expr|fdisk|fgrep|findmnt|gcc|gdb|getfacl|groupadd|gunzip|gzip|hexdump|hostnamectl|hping3|iconv|insmod|ionice|iptables|jq|killall|ldd',
  'logname|losetup|lsattr|lsb_release|lsblk|lsmod|lsof|ltrace|lynx|md5sum|mkdir|mkfifo|mknod|modprobe|mysqldump|nawk|ncat|netstat|nmap|nohup|nproc',
  'nslookup|pgrep|pip3?|pkexec|pkill|poweroff|printenv|printf|psql|pushd|pwd|readarray|readlink|rm|rmdir|rpm|rsync|scp|sed',
  'setsid|sftp|sha\\d+sum|shuf|socat|sqlite3|ss|ssh|stdbuf|strace|stty|sudo|sysctl|systemctl|tac|tcpdump|telnet|tftp|tmux|traceroute|tshark|tty|ulimit|umask|umount',
  'uname|uniq|unshare|unzip|useradd|usermod|vim|vmstat|wget|whereis|whoami|xargs|xxd|yum|zcat|zsh',
].join('|')

/** Those that are words of texts, too: an option, a path or a variable has to follow, or nothing. */
const programsThatAreWords = [
  'alias|builtin|command|comm|cut|dd|declare|del|diff|enable|exec|export|find|fold|free|halt|hash|head|history|host|hostname|init|jobs|join|kill|last|less|ln|locale|make|mesg|mount|mv',
  'curl|env|eval|git|grep|id|ip|lua|mysql|nc|nice|nl|od|passwd|paste|patch|perl|php|pr|ps|python[23]?|read|reboot|rev|route|ruby|screen|script|seq|service|set|shutdown|sleep|sort|source|split|start|stat|strings|su|sum|sync|tail|tar|tee|time',
  'timeout|top|touch|tr|trap|tree|type|unset|until|uptime|users|vi|watch|wc|which|while|who|yes|zip',
].join('|')

/** What a shell reads behind such a word: an argument that no sentence has, a command, or the end. */
const programAtBeginning = String.raw`(?:(?:${programsAtBeginning})(?:\s*[;&)}#]|\s+[-\w/.:("'$~]|\s*$)|(?:${programsThatAreWords})(?:\s*[;&)}#|]|\s+[-/.$"'~([]|\s+\d{1,5}\s*(?:$|[;&|#])|\s+(?:id|ls|whoami|rm|cat|sh|bash)\b|\s*$))`

/** A whole value of one word that names a file, an address of mail or an option. */
const nameBeforeMark = String.raw`(?:[\w./-]{1,60}\.(?:txt|jpe?g|png|gif|pdf|docx?|xlsx?|csv|zip|xml|html?|php|jsp|log|json)\.?|[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{1,20}|--?[a-z]\S{0,30}|\{\{\s?\w{1,20}\s?\}\})`

/** Commands with the beginning of their arguments. */
const commandsWithArguments = [
  String.raw`(?:busybox|env|nohup|sudo)\s+(?:id|ls|sh|cat|wget|nc|bash|whoami)\b`,
  String.raw`getent\s+(?:a?hosts|passwd|group)\b`,
  String.raw`(?:mkfifo|touch)\s+/(?:tmp|dev|var)\b`,
  String.raw`chmod\s+(?:[0-7]{3,4}|[ugoa]*\+[rwxs]+)\s+[/.]`,
  String.raw`rm\s+-[rf]{1,2}\s+(?:/|~|\*|\.)`,
  String.raw`certutil(?:\.exe)?\s+-(?:urlcache|decode|f\b)`,
  String.raw`(?:[\w:\x5c/.]{0,60}[\x5c/])?(?:powershell|pwsh)(?:\.exe)?\s+-(?:e(?:nc?|c|p)?|encodedcommand|c|nop|noprofile|w|windowstyle|noni|command|exec\w*)\b|cmd(?:\.exe)?\s+/[ck]\b`,
  String.raw`reg\s+(?:query|add|save)\s+["']?hk`,
  String.raw`net\s+(?:user|view|localgroup|share)(?:\s*$|\s+[/\x5c"]|\s+\S+(?:\s+\S+)?\s+/\w)`,
  String.raw`netsh\s+(?:firewall|advfirewall|interface|wlan)\b`,
  String.raw`ipconfig(?:\.exe)?\s+/\w`,
  String.raw`shutdown\s+-[hrst]\b`,
  String.raw`expr\s+\d+\s+[-+*]`,
  String.raw`(?:sleep|timeout)\s+\d+\s*(?:$|[;|&#\x60)])`,
  String.raw`type\s+(?:%\w+%|[a-z]:\x5c)`,
  String.raw`dir\s+[a-z]:\x5c`,
  String.raw`find\s+/\s*\S*\s+-(?:name|exec|perm)`,
].join('|')

/** What a shell makes of a text that is no command as it stands. */
const expansions = [
  String.raw`[a-z]\$@[a-z]`,
  String.raw`\$\{?IFS\b`,
  String.raw`\bIFS=`,
  String.raw`\$0\s*<<<`,
  String.raw`<<<\s*["'$(]`,
  String.raw`;\s*\$\w{1,2}\$\w{1,2}(?:\s|$)`,
  String.raw`/bin\$\w+/\w+|/etc\$\w+/`,
  String.raw`[a-z]\x60\x60[a-z]|[=(]\x60(?:id|ls|pwd|whoami|uname)\b`,
  String.raw`\$\{\w{1,40}:\d{1,3}(?::\d{1,3})?\}|\$\{\w{1,40}(?:,,|\^\^|//[^}]{0,60})\}`,
  String.raw`\$'(?:[^'\x5c]{0,40}\x5c(?:x[\da-f]{2}|\d{3}|u[\da-f]{4})){2}|printf\s+["'](?:\x5cx[\da-f]{2}){2}`,
  String.raw`%\w+:~\d+,-?\d+%|(?:\^[a-z]){3}`,
  String.raw`(?:^|[\s;|&(\x60<])/(?:[a-z]{0,4}\?[a-z?]{0,6}|[a-z]{1,3}\*[a-z]{0,3})/[\w?*.-]*[?*]`,
  String.raw`[a-z]\x5c\r?\n[a-z]`,
  String.raw`(?:^|[\s;|&(\x60<])/[a-z]{0,3}\?[a-z?]{1,3}/(?:passwd|shadow|group|hosts)\b`,
  String.raw`(?:^|[\s;|&(\x60<])/(?:usr/)?bin/[\w-]*[?*][\w?*-]*(?:\s|$)`,
  String.raw`/etc/(?:\w{0,6}[?*]{1,2}\w{0,6})(?:\s|$|[;|&\x60])`,
  String.raw`(?:^|[\s;|&(\x60])[a-z]{1,6}(?:'[a-z]{1,4}'|"[a-z]{1,4}"){1,3}[a-z]{0,4}(?:'[a-z]{1,4}'|"[a-z]{1,4}")`,
].join('|')

/** Folders of a Unix from which no application lets its clients name files, with what is in them. */
const foldersOfUnix = [
  'etc/(?:[\\w.-]+/)*[\\w.-]*\\w',
  String.raw`proc/(?:self|\d+|net|sys|version|cpuinfo|meminfo|mounts|stat|sched_debug|cmdline)\b[\w/.-]*`,
  String.raw`var/(?:log|mail|spool/cron|spool/mail|lib/(?:mysql|php\w*|pgsql|mlocate)|run/(?:utmp|secrets)|db|backups)/?[\w./-]*`,
  String.raw`var/www/(?:[\w-]+/)*[\w.-]+\.php`,
  String.raw`run/secrets/[\w./-]+`,
  String.raw`root/\.[\w./-]+|home/[\w.-]+/\.[\w./-]+`,
  String.raw`tmp/sess_\w*|\.dockerenv|(?:usr|opt)/[\w./-]{0,100}pearcmd(?:\.php)?(?:&\S{0,200})?|sys/class/[\w/.-]+|dev/(?:fd|shm|tcp|udp)/[\w./-]*`,
  String.raw`usr/(?:local/(?:apache2?|etc|nginx|cpanel|php)|pkgsrc)/[\w./-]+|opt/(?:lampp|tomcat\w*)/[\w./-]+|usr/share/tomcat\w*/[\w./-]+`,
].join('|')

/** Those of Windows, and files that tell of a machine. */
const foldersOfWindows = [
  String.raw`(?:windows|winnt)[\x5c/]+(?:win\.ini|system\.ini|php\.ini|system32|repair|panther|debug|inf|temp)`,
  String.raw`(?:boot|sysprep|unattend|pagefile|autoexec|ntuser)\.(?:ini|inf|xml|sys|bat|dat|txt)`,
  String.raw`inetpub[\x5c/]+(?:wwwroot|logs|ftproot)[\x5c/]`,
  String.raw`(?:xampp|wamp(?:64)?|nginx|apache|php|mysql)[\x5c/]+[\w.\x5c/ -]*\.(?:ini|conf|log|cnf)`,
  String.raw`users[\x5c/]+(?:administrator|default)[\x5c/]`,
  String.raw`program files(?: \(x86\))?[\x5c/]+(?:apache|mysql|php|filezilla)[\w .]*[\x5c/]`,
].join('|')

/** Dots and slashes in codings that are none or that only some programs read. */
const oddDot = String.raw`(?:\.|\xef\xbc\x8e|\xe2\x80\xa4|\xc0[\xae.]|\xff\x0e|\xe0\x80\xae)`
const oddSlash = String.raw`(?:\xef\xbc[\x8f\xbc]|\xe2\x88\x95|\xe0\x80\xaf|\xc0[\xaf/]|\xff\x0f|%bg%qf)`

/** As it is, as escapes, and as letters of which careless programs keep the lower byte. */
const endOfLine = String.raw`(?:[\r\n]|\x5cr\x5cn|\xe5\x98[\x8a\x8d]|\xc4[\x8a\x8d]){1,4}\s*`
const namesOfMailHeaders = '(?:to|subject|from|reply-to|content-type)'

/** 948160 to 948199: attacks that stand in lists of payloads, and that the Core Rule Set finds at higher levels only, or at none. */
export const payloadRules: readonly WrittenRule[] = [
  {
    id: 948160,
    message: 'Command behind a mark that separates commands, at the beginning of a value or behind one word',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)^\s*(?:(?:${beforeMark}|${nameBeforeMark})\s*${betweenCommands}\s*(?:[({!]\s*)?(?:/(?:usr/)?bin/)?${commandsAboutMachines}\s*(?:[;|&#\x60)}"'\r\n]|\x5cn)*(?:\s*[#\x60])?\s*$|["']?\s*(?:[;&]{1,2}\s*(?:[({!]\s*)?${programAtBeginning}|\|{1,2}\s*${programAtBeginning}[^|\r\n]*$)|;\s*>{1,2}\s*[\w/.]{1,80}\s*$)`,
    tags: ['attack-rce'],
  },
  {
    id: 948161,
    message: 'Command with arguments, as the whole of a value or behind a mark that separates commands',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)(?:^|[;|&\r\n\x60]|\$\()\s*(?:${commandsWithArguments})`,
    tags: ['attack-rce'],
  },
  {
    id: 948162,
    message: 'Text that a shell turns into a command',
    targets: valuesAndCookies,
    pattern: `(?:${expansions})`,
    tags: ['attack-rce'],
  },
  {
    id: 948163,
    message: 'File of the system or of settings as the whole of a value',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)^\s*(?:file:)?/(?:\.?/)*(?:${foldersOfUnix})\x00?(?:\.\w+)?\s*$`,
    tags: ['attack-lfi'],
  },
  {
    id: 948164,
    message: 'File of Windows, of a Java application or of version control as the whole of a value',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)^\s*(?:file:/*)?(?:[\x5c/]{2}[?.][\x5c/][a-z]:|(?:[a-z]:|\x5c\x5c[\w.:-]+\x5c[a-z]\$|)[\x5c/]+(?:${foldersOfWindows})|[a-z]:[\x5c/]+(?:windows|winnt)(?:[\x5c/]\S{0,200})?$|(?:[^\s?]{0,200}/)?(?:web|meta)-inf/\w\S{0,200}$|[./\x5c]*(?:(?:web|meta)-inf[\x5c/][\w.]|\.git[\x5c/](?:config|head|index|logs)|\.svn[\x5c/](?:entries|wc\.db))|(?:[\w.-]{0,60}[/\x5c]){0,12}(?:wp-config\.php|\.ht(?:passwd|access)|id_(?:rsa|dsa|ed25519)|\.env(?:\.\w{1,20})?|\.aws[/\x5c]credentials|\.git-credentials|\.pgpass|\.my\.cnf)$)|^[^\s?]{1,200}::\$(?:data|index_allocation)\b`,
    tags: ['attack-lfi'],
  },
  {
    id: 948165,
    message: 'Way to folders above, with dots that filters take out or in codings that are none',
    targets: valuesAndCookies,
    pattern: String.raw`(?:^|[/\x5c=])(?:(?:\.\.\.(?:/\./|\x5c\.\x5c))|\.{4,}[/\x5c]|(?:\.{3}[/\x5c]){2}|(?:\.?/?\x5c/\.?){2})|${oddDot}{2}${oddSlash}|(?:\xef\xbc\x8e|\xe2\x80\xa4|\xc0[\xae.]|\xff\x0e|\xe0\x80\xae){2}[/\x5c]`,
    tags: ['attack-lfi'],
  },
  {
    id: 948166,
    message: 'Header of an answer or of a message behind the end of a line',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)^(?:[^\s<>@]{0,60}(?:@[^\s<>]{1,60}>?)?${endOfLine}(?:(?:b?cc|set-cookie|location|refresh|content-(?:type|length|disposition|encoding)|access-control-[a-z-]+|transfer-encoding|header-test|x-[\w-]+|http/\d\.\d|rcpt to|\.?${endOfLine}mail from)\s*[: ]|host:\s*[\w-]+\.\w)|[^\s<>@]{0,60}@[^\s<>]{1,60}${endOfLine}${namesOfMailHeaders}\s*:|\S{0,60}${endOfLine}[a-z]\d{2,3} (?:capability|fetch|list|select)\b|${endOfLine}(?:quit\s*$|data\s*(?:[\r\n]|\x5cr\x5cn)))`,
    tags: ['attack-protocol'],
  },
  {
    id: 948167,
    message: 'Script of a database behind the end of a string or statement',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)(?:^[^;]{0,40}["'\d]\s*;\s*(?:return\b|while\s*\(|it\s*=\s*new\b|var\s+\w+\s*=)|^(?:[^"'\s]{0,20}["'\d])?\s*(?:\|\||&&)\s*(?:["']?\w{0,20}["']?\s*===?\s*["'\d]|this\.\w)|\bthis\.\w+\.match\(/|\bdb\.\w+(?:\.\w+)?\.?(?:insert|drop|find|remove|mapreduce|getcollection\w*)\(|\bdb\.getcollectionnames\(|\$where["']?\s*:|[{,]\s*\$(?:n?or|ne|n?in|[gl]te?|regex|expr|comment)\s*:)`,
    tags: ['attack-sqli'],
  },
  {
    id: 948168,
    message: 'Piece of a statement of SQL as the whole of a value',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)^\s*(?:[,;)]*\s*(?:/\*\w*\*/)?(?:x?or|and|having)(?:\s|/\*\*/)+(?:not\s+|binary\s+)?\(?\s*["']?(?:\d+|user)["']?\s*=|["']?\s*;\s*(?:drop|truncate|shutdown|delete|update|insert|exec|declare)\s|\d+\s*;\s*do\s*\(|[^;"']{0,40}["'\d)]\s*;\s*(?:table\s+[\w.]{1,60}\s*(?:$|;|--|#|limit\b)|handler\s+[\w.]{1,60}\s+open\b)|["']\)*\s*(?:x?or|and|having|union)\s+(?:\(|["'\d]|not\b|select\b|exists\b)|(?:\d+\s+|["')]+\s*)?(?:order|group)\s+by\s+\d+(?:\s*,\s*\d+)*\s*(?:--|#|/\*)|["']\s*--(?:[\s';]|$)|print\s+@@|@@[a-z_]+\s*$|(?:\|\||&&)\s*["'\d]+\s*=|(?:\d+\s+)?x?or\s+true\s*(?:--|#|$)|rlike\s*\(|order\s+by\s+\d+(?:\s*,\s*\d+)*\s*$)|/\*(?:\*/|!\d*)\s*(?:union|select|x?or|and|from|where)\b|\b(?:un<>ion|sel<>ect)\b|\d\.e\s?\(`,
    tags: ['attack-sqli'],
  },
  {
    id: 948169,
    message: 'Steps of XPath to all nodes, or condition of LDAP that is never or always true',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)["']\s*\]?\s*\|\s*//|\]\s*\|\s*//\*|["']\s*(?:or|and)\s+//?\w+\[|^//\w+\[name\(\)|\[[^\]]{0,80}\bor\s+["']?\d{1,9}["']?\s*=|\b(?:doc-available|unparsed-text(?:-lines)?)\s*\(|\(1=0\)\(|^\w*\*\)\s*\(\s*$|\w:2\.5\.13\.\d+:=`,
    tags: ['attack-sqli'],
  },
  {
    id: 948170,
    message: 'Template that shows or does what it may not name',
    targets: valuesAndCookies,
    pattern: String.raw`\{\{-?\s*(?:(?:self|joiner|cycler|lipsum|url_for|get_flashed_messages)\b|settings\.SECRET|\.System\b|(?:html|js|print|printf)\s*["(]|=)|\{\{[^}]*(?:\.class\.|getClass\(|_TemplateReference|constructor\.prototype|["']\s*\|\s*format\(|\[['"][^'"\]]*''|=\s*Object\b)|\{%-?\s*debug\s*-?%\}|\{\{-?\s*(?:["']\w{0,4}["']\s*\*\s*\d|\d+\s*\|)|\[\[\s*\d+\s*\*\s*\d+\s*\]\]|^\s*@\(\d+\s*[-+*/]\s*\d+\)|@System\.Diagnostics\.|\{@math\s|\]\s*\|\s*(?:filter|map|sort)\(|%\{\s*\(?#|^\S{0,100}__(?:class|subclasses|globals|builtins|mro)__|\{%-?\s*\d+\s*[*+-]\s*\d|root\.process\b`,
    tags: ['attack-rce'],
  },
  {
    id: 948171,
    message: 'Lookup of Log4j',
    targets: `${everywhere}|REQUEST_COOKIES_NAMES|REQUEST_LINE`,
    pattern: String.raw`(?i)(?:\$|%24|\x5cu0024)(?:\{|%7b|\x5cu007b)[^}]{0,80}(?:jndi\b|:\w*:-|\$\{[^}]{0,40}:|(?:lower|upper|base64|env|sys|java|ctx|date|main|script|bundle|docker|k8s|log4j|spring|web|dns|url):)`,
    transformations: ['urlDecodeUni'],
    tags: ['attack-rce', 'language-java'],
  },
  {
    id: 948172,
    message: 'Element of Edge Side Includes',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)<(?:!--)?esi:?\s*(?:include|debug|assign|remove|vars|inline|eval|try|choose|\$)`,
    tags: ['attack-injection-php'],
  },
  {
    id: 948176,
    message: 'Function of PHP behind the end of a string, or as the whole of a value',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)^[\s;'"]*(?:die|exit|print|echo)\s*\(?\s*(?:md5|sha1|phpversion|system|shell_exec)\s*\(|^\s*%x[({\[|]\s*\w|^\x5c\x5c[\w.-]+\x5c\S{0,200}\.(?:php\d?|phtml|jspx?|aspx?)$|\bresponse\.write\s*\(\s*\d+\s*\*|["']\s*\.\s*(?:print|system|exec|passthru|phpinfo|eval|md5|sleep)\s*\(|^\s*(?:(?:ftps?:)//[^\s?#]+/[\w.-]{1,80}\.(?:php\d?|phtml|asp|jsp)\x00?\?{0,2}|//[^\s?#]+/(?:[\w.-]{1,80}\.(?:php\d?|phtml|asp|jsp)(?:\x00\??|\?{1,2})|(?:shell|cmd|evil|c99|r57|backdoor|rfi|inc|exploit|malicious|webshell)\d?\.(?:php\d?|phtml|asp|jsp)))$`,
    tags: ['attack-injection-php'],
  },
  {
    id: 948177,
    message: 'Call of a function of scripts in a roundabout way, or as the whole of a value',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)\b(?:alert|confirm|prompt)(?:\?\.|\.(?:call|apply|bind))\s*\(|^[-+;*\s]*(?:alert|confirm|prompt)\s*[(\x60]|\.constructor\s*(?:\.\s*constructor\s*)?\(\s*['"\x60]|^\s*Function\s*\(\s*['"\x60]|^__proto__\s*[.[]|&#(?:x0+3c|0+60)\b`,
    tags: ['attack-xss'],
  },
]
