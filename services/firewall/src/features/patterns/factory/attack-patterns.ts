import type { FactoryPatterns } from './factory-patterns.ts'
import { strictAttackPatterns } from './strict-attack-patterns.ts'

/** What the attack types look for that every policy can afford to block, and the strict ones. */
export const attackPatterns: FactoryPatterns = {
  'SQL Injection': {
    'union-select': {
      regex: /\bunion\s{1,32}(?:all\s{1,32}|distinct\s{1,32})?select\b/,
      description: 'A second query that is joined to the one of the application.',
    },
    'always-true-text': {
      regex: /'\s{0,16}\)?\s{0,16}(?:or|and)\s{1,16}\(?'?[a-z0-9_]{1,32}'?\s{0,16}(?:=|<|>|like\s{1,8}['"(])/,
      description: 'A condition after a closing quote.',
    },
    'always-true-number': {
      regex: /\b(?:or|and)\s{1,16}[0-9]{1,16}\s{0,16}=\s{0,16}[0-9]/,
      description: 'A comparison of two numbers as condition.',
    },
    'next-statement': {
      regex:
        /;\s{0,16}(?:(?:alter|create|drop|truncate)\s{1,16}(?:database|login|table|user)|delete\s{1,16}from|exec(?:ute)?\s{1,16}(?:\(|[sx]p_)|insert\s{1,16}into|shutdown\s{0,16}(?:$|-|;)|update\s{1,16}\S{1,64}\s{1,16}set\b)/,
      description: 'A further statement after the one of the application.',
    },
    'quote-and-comment': {
      regex: /'\s{0,16}\)?\s{0,16}(?:--|#|\/\*)/,
      description: 'A closing quote after which the rest of the query is commented out.',
    },
    delay: {
      regex:
        /\b(?:benchmark\s{0,8}\(|dbms_pipe\.receive_message|pg_sleep\s{0,8}\(|sleep\s{0,8}\(\s{0,8}[0-9]|waitfor\s{1,16}delay\s{1,16}')/,
      description: 'A function that lets answers be told apart by their time.',
    },
    'schema-tables': {
      regex: /\b(?:information_schema\.[a-z]|pg_catalog\.[a-z]|sqlite_master\b|sys\.objects\b|sysobjects\b)/,
      description: 'The tables in which databases describe themselves.',
    },
    'server-files': {
      regex: /\b(?:into\s{1,16}(?:dump|out)file\s{0,16}['"]|load_file\s{0,8}\(|xp_cmdshell\b)/,
      description: 'Files and commands of the database server.',
    },
  },
  'Cross-Site Scripting': {
    'script-element': { regex: /<script[\s/>]/, description: 'An element that holds a script.' },
    'event-handler': {
      regex: /<[a-z][^<>]{0,200}[\s"'/]on[a-z]{3,24}\s{0,16}=/,
      description: 'An element with an attribute that is run.',
    },
    'script-url': {
      regex:
        /\b(?:javascript|livescript|vbscript)\s{0,16}:\s{0,16}(?:[a-z_$][a-z0-9_$.]{0,60}\s{0,8}[(=;]|[(/'"])/,
      description: 'A URL that is run when it is followed.',
    },
    'html-in-url': { regex: /\bdata:text\/html[;,]/, description: 'A URL that is a page of its own.' },
    'active-element': {
      regex: /<(?:applet|base|embed|form|frameset|iframe|isindex|link|math|meta|object|svg)[\s/>]/,
      description: 'An element that brings in content from elsewhere.',
    },
    'script-in-style': {
      regex: /:\s{0,16}expression\s{0,16}\(|-moz-binding\s{0,16}:|behavior\s{0,16}:\s{0,16}url\s{0,8}\(/,
      description: 'A style that is run.',
    },
    'page-access': {
      regex: /\b(?:document\.(?:cookie|domain|location|write)|window\.location|localStorage\.[a-z])/,
      description: 'A script that reads or changes the page.',
    },
  },
  'OS Command Injection': {
    'next-command': {
      regex:
        /(?:[;|`]|&&|&\s)\s{0,16}(?:\/[a-z/]{1,40}\/)?(?:(?:bash|chmod|curl|ifconfig|netstat|nslookup|uname|wget|whoami)\b|(?:id|ls|ps)\s{0,8}(?:$|[#&;`|-])|(?:cat|echo|nc|perl|ping|python3?|rm|sh|sleep)\s{1,8}[-./0-9~$])/,
      description: 'A well-known command after what separates commands.',
    },
    substitution: {
      regex: /\$\(\s{0,16}(?:\/[a-z/]{1,40}\/)?[a-z]{2,16}[\s)]/,
      description: 'A command whose output becomes a part of another.',
    },
    'shell-path': {
      regex: /(?:^|[\s;|&`(=])\/(?:usr\/)?s?bin\/[a-z0-9]{2,16}\b/,
      description: 'The path of a program.',
    },
    'windows-shell': {
      regex: /\b(?:cmd(?:\.exe)?\s{1,16}\/[ck]\b|powershell(?:\.exe)?\s{1,16}-[a-z]|\\system32\\)/,
      description: 'A shell of Windows.',
    },
    'network-device': {
      regex: />\s{0,8}&?\s{0,8}\/dev\/(?:tcp|udp)\//,
      description: 'A connection made by a shell.',
    },
    'function-in-environment': {
      regex: /\(\)\s{0,8}\{[^}\n]{0,64}\}\s{0,8};/,
      description: 'A function with a command after it (CVE-2014-6271).',
    },
  },
  'LDAP Injection': {
    'closed-filter': {
      regex: /\)\s{0,8}\(\s{0,8}[&|!]\s{0,8}\(?/,
      description: 'A filter that is closed to begin another.',
    },
    'any-value': {
      regex:
        /\(\s{0,8}(?:cn|givenname|mail|memberof|objectclass|ou|sn|uid|userpassword)\s{0,8}[~<>]?=\s{0,8}\*/,
      description: 'A filter that takes any value.',
    },
    'wildcard-and-filter': {
      regex: /\*\s{0,8}\)\s{0,8}\(\s{0,8}[a-z&|!]/,
      description: 'A wildcard with another filter after it.',
    },
  },
  'Directory Traversal': {
    'parent-directory': {
      regex: /(?:^|[/\\=])\.\.[/\\]/,
      description: 'A step out of a directory.',
    },
    'encoded-parent-directory': {
      regex: /(?:\.|%(?:25)?2e){2}(?:%(?:25)?2f|%(?:25)?5c|%c0%af|%c1%9c)/,
      description: 'A step out of a directory that is encoded once more.',
    },
    'system-file': {
      regex: /\/etc\/(?:group|hosts|passwd|shadow)\b|\b(?:boot|win)\.ini\b|\/proc\/self\//,
      description: 'A file that only the system needs.',
    },
  },
  'HTTP Specific Injection': {
    'header-in-value': {
      regex:
        /[\r\n]\s{0,8}(?:(?:content-(?:length|type)|set-cookie|transfer-encoding|x-forwarded-for)\s{0,8}:|location\s{0,8}:\s{0,8}(?:https?:)?\/\/)/,
      description: 'A header behind a line break.',
    },
    'status-line-in-value': {
      regex: /[\r\n]\s{0,8}HTTP\/[0-9]/,
      description: 'A whole response behind a line break.',
    },
    'encoded-line-break': {
      regex: /%0d%0a|%0a\s{0,4}[a-z-]{3,40}:|%E5%98%8[AD]/,
      description: 'A line break that is encoded once more.',
    },
  },
  'Python-PHP attacks': {
    'php-tag': { regex: /<\?(?:php\b|=)/, description: 'A script of PHP.' },
    'php-wrapper': {
      regex: /\b(?:compress\.(?:bzip2|zlib)|expect|glob|phar|php|zip):\/\//,
      description: 'A source that only PHP opens.',
    },
    'php-function': {
      regex:
        /\b(?:assert|base64_decode|call_user_func|create_function|eval|passthru|pcntl_exec|phpinfo|popen|proc_open|shell_exec|system)\(/,
      description: 'A function that runs what it is given.',
    },
    'php-variable': {
      regex: /\$(?:GLOBALS|_(?:COOKIE|ENV|FILES|GET|POST|REQUEST|SERVER|SESSION))\b/,
      description: 'A variable in which PHP keeps the request.',
    },
    'php-object': {
      regex: /\b[OC]:[0-9]{1,5}:"[a-z_\\][a-z0-9_\\]{0,120}":[0-9]/,
      description: 'A serialised object.',
    },
    'python-import': {
      regex: /\b__import__\s{0,8}\(|\bimport\s{1,16}(?:os|pty|socket|subprocess)\b/,
      description: 'A module that Python is to load.',
    },
    'python-call': {
      regex: /\b(?:os\.(?:popen|system)|subprocess\.(?:call|check_output|Popen|run))\s{0,8}\(/,
      description: 'A command that Python is to run.',
    },
    'python-internals': {
      regex: /__(?:builtins|class|globals|mro|subclasses)__/,
      description: 'A way out of what a template may do.',
    },
  },
  'Apache Struts attacks': {
    'ognl-expression': {
      regex: /[%$]\{[^}\n]{0,200}(?:#[a-z_]|@[a-z])/,
      description: 'An expression with variables or classes.',
    },
    'ognl-context': {
      regex: /#(?:_memberAccess|application|attr|context|parameters|request|session)\b\s{0,8}[.[=]/,
      description: 'What expressions find in their context.',
    },
    'java-class': {
      regex: /\bjava\.lang\.(?:Class|ProcessBuilder|Runtime|System)\b/,
      description: 'A class that runs programs.',
    },
    'class-loader': {
      regex: /\bclass(?:\.module)?\.classLoader\b|\bclass\['classLoader'\]/,
      description: 'A parameter that reaches the class loader.',
    },
    'redirect-prefix': {
      regex: /\b(?:action|redirect|redirectAction)\s{0,4}:\s{0,4}[%$]\{/,
      description: 'A redirect to an expression (CVE-2013-2251).',
    },
    lookup: {
      regex: /\$\{(?:jndi|lower|upper|env|sys)\s{0,4}:/,
      description: 'A lookup while a line is logged (CVE-2021-44228).',
    },
  },
  'Remote File Inclusion': {
    'url-with-question-mark': {
      regex: /^(?:https?|ftps?):\/\/\S{1,400}\?$/,
      description: 'A URL whose end takes up what the application adds.',
    },
    'url-of-address': {
      regex: /^(?:https?|ftps?):\/\/[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:[:/]|$)/,
      description: 'A URL with an address in the place of a name.',
    },
    'url-of-script': {
      regex: /^(?:https?|ftps?):\/\/[^\s/?]{1,200}\/[^\s?]{0,200}\.(?:asp|inc|jsp|php[0-9]?|txt)\?/,
      description: 'A URL of a script, with a query.',
    },
    'included-url': {
      regex: /\b(?:include|require)(?:_once)?\s{0,8}\(?\s{0,8}['"]?(?:data|ftps?|https?|php):/,
      description: 'A statement that includes a URL.',
    },
  },
  ...strictAttackPatterns,
}
