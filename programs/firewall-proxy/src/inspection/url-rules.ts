import { valuesAndCookies } from './rule-targets.ts'
import type { WrittenRule } from './written-rule.ts'

/** Characters that programs take for a letter of ASCII (UTS 46): in a circle, fullwidth. */
const oddLetter = String.raw`(?:\xe2(?:\x92[\xb6-\xbf]|\x93[\x80-\xa9])|\xef\xbc[\xa1-\xba]|\xef\xbd[\x81-\x9a])`

/** Characters that programs take for a digit or dot (UTS 46): fullwidth, in a circle, ideographic. */
const oddDigitOrDot = String.raw`(?:\xe2\x91[\xa0-\xb3]|\xe2\x93\xaa|\xef\xbc[\x90-\x99]|\xe3\x80\x82|\xef\xbc\x8e|\xef\xbd\xa1)`

/** Names that stand for addresses which they name, or for what a cloud tells its machines. */
const namesOfAddresses = [
  String.raw`(?:[\w-]+\.)*(?:(?:nip|sslip|xip)\.io|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|traefik\.me|local\.gd|1u\.ms|rbndr\.us)`,
  String.raw`metadata\.(?:google\.internal|goog|azure\.(?:com|internal)|tencentyun\.com)|metadata`,
  String.raw`instance-data(?:\.ec2\.internal)?|kubernetes\.default(?:\.svc)?(?:\.cluster\.local)?|rancher-metadata|host\.docker\.internal`,
  String.raw`loopback|localhost\.localdomain|ip6-localhost|localhost\.`,
]

/** Where a cloud tells its machines their secrets: AWS and most others, its containers, Alibaba, Oracle. */
const addressesOfMetadata = String.raw`169\.254\.\d{1,3}\.\d{1,3}|100\.100\.100\.200|192\.0\.0\.192`

/** An address as no link to a site is written: in one number, in octal or hexadecimal digits, cut short, or in IPv6 one that is local. */
const oddHost = [
  String.raw`(?:0x[\da-f]+|\d+)(?:\.(?:0x[\da-f]+|\d+)){0,2}`,
  String.raw`(?:\d+\.){0,3}0(?:x[\da-f]+|\d+)(?:\.(?:0x[\da-f]+|\d+)){0,3}`,
  String.raw`[\d.]*${oddDigitOrDot}(?:[\d.]|${oddDigitOrDot})*`,
  String.raw`[\w.-]{0,60}${oddLetter}(?:[\w.-]|${oddLetter}|${oddDigitOrDot})*`,
  String.raw`\[(?:::|0|f[c-f]|64:ff9b)[\da-f:.]*(?:%[\w%]{1,20})?\]`,
  String.raw`[3-9]\d\d(?:\.\d{1,3}){3}`,
  addressesOfMetadata,
  ...namesOfAddresses,
].join('|')

/** A machine itself, and networks that are nobody's (RFC 1918, 6598 and 2544). */
const privateHost = String.raw`localhost|127(?:\.\d{1,3}){3}|0(?:\.\d{1,3}){3}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2}|198\.1[89](?:\.\d{1,3}){2}|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}`

const endOfHost = String.raw`\.?(?:[:/\x5c?#]|$)`
const userInfo = String.raw`(?:[^/\x5c?#@\s]*@)?`

/** Behind the beginning of a value, or of a path within a path. */
const beginningOfUrl = String.raw`^\s*(?:/(?:[\w./=-]{0,200}[/=])?)?(?:url:|view-source:)?`

/** Headers whose value is a URL of the client's own. */
const headersWithoutOwnUrl = ['Referer', 'Origin', 'Host', 'Destination', 'If', 'SOAPAction', 'Link']
  .map((name) => `|!REQUEST_HEADERS:${name}`)
  .join('')
const headers = `REQUEST_HEADERS${headersWithoutOwnUrl}`

/** Of these, applications that run on the machine of their user say where they wait, or which page they are (Capacitor). */
const namesOfOwnUrls =
  '/(?i)(?:^|[._-])(?:redirect_?uris?|origin|dl|dr|href|ref(?:err?er)?|location|page(?:_?(?:url|location))?)$/'

/** Names of parameters that say where a browser is to go. */
const namesOfTargets =
  'ARGS:/(?i)(?:^|[._-])(?:(?:return|redirect|redir|next|continue|forward|success|fail(?:ure)?|cancel|logout|login|target|dest(?:ination)?|callback|back|go|image|checkout|service|out|r)?[_-]?(?:url?|uri|to|path|link)|next|redir(?:ect)?|return|dest(?:ination)?|target|go(?:to)?|view|continue|forward|checkout|out)$/'

const callbackHosts = String.raw`(?:oastify\.com|burpcollaborator\.net|interact\.sh|interactsh\.com|oast\.(?:fun|pro|live|site|online|me)|dnslog\.(?:cn|link|org)|ceye\.io|canarytokens\.(?:com|org)|bxss\.me|xss\.ht)`

/** As those who write attacks call the host that is theirs. */
const hostsOfAttackers = String.raw`(?:evil|attacker|malicious|malware|phishing|hacker)(?:-?(?:site|server|domain|host|website|page|controlled|url))?\.(?:com|net|org|io|co|tld|example|local|xyz|site|invalid)`

/** URLs by which a server speaks to itself or to its neighbours, or a browser goes elsewhere. Ids are those of lists of payloads and of own rules. */
export const urlRules: readonly WrittenRule[] = [
  {
    id: 948110,
    message:
      'URL whose host is an address in an odd notation or a name that stands for one, or of a scheme by which servers are had to speak other protocols',
    targets: `${valuesAndCookies}|REQUEST_FILENAME|${headers}`,
    pattern: String.raw`(?i)${beginningOfUrl}(?:(?:https?|ftps?|wss?):[/\x5c]+\s?${userInfo}(?:${oddHost})${endOfHost}|(?:gopher|dict|netdoc|tftp):/|local_file:|php:filter/|jar:[a-z]{2,10}:)`,
    tags: ['attack-ssrf'],
  },
  {
    id: 948112,
    message: 'URL of the machine itself or of a private network',
    targets: `${valuesAndCookies}|!ARGS:${namesOfOwnUrls}|REQUEST_FILENAME|REQUEST_HEADERS:X-Forwarded-For|REQUEST_HEADERS:X-Forwarded-Host|REQUEST_HEADERS:X-Original-URL|REQUEST_HEADERS:X-Api-Version`,
    pattern: String.raw`(?i)${beginningOfUrl}(?:https?|ftps?|wss?):[/\x5c]+${userInfo}(?:${privateHost})${endOfHost}`,
    isOfOtherHost: true,
    tags: ['attack-ssrf'],
  },
  {
    id: 948173,
    message: 'Host that reports to an attacker that it was looked up, or is called one of an attacker',
    targets: `${valuesAndCookies}|REQUEST_HEADERS|!REQUEST_HEADERS:Host|REQUEST_FILENAME`,
    pattern: String.raw`(?i)[\w-]\.${callbackHosts}\b|^\S{0,200}(?:[@./]|%2f)${hostsOfAttackers}(?:[/:;?#\x5c%\s&]|$)`,
    tags: ['attack-ssrf'],
  },
  {
    id: 948174,
    message: 'URL that has a server speak to itself or to its neighbours in another protocol',
    targets: `${valuesAndCookies}|REQUEST_FILENAME`,
    pattern: String.raw`(?i)^\s*(?:unix:/|(?:ldaps?|sftp|ssh|telnet|rmi|redis|mongodb|imaps?|smtps?|pop3s?|smb|mysql):/+(?:localhost|127\.|\[::1)|https?:(?:(?:127|169\.254|10|0)\.\d|\d{8,10}(?:[/:?#]|$)|0x[\da-f]|\[|[\w.-]{1,80}@0x)|https?:/+0?[oq]\d{2,3}\.|localhost:(?:\+|0{2,})\d|ssh2\.\w+:/|//+(?:127|169\.254)\.\d|//localhost(?:[:/]|$)|\x5c\x5c(?:127\.|localhost\b)|(?:169\.254\.169\.254|metadata\.google\.internal|\[::1?\]:\d+)(?:/|$)|https?://(?:[^/\s?#]{1,100}[?#;]@|[;\t%]\S{0,3}@?[\w/]))`,
    tags: ['attack-ssrf'],
  },
  {
    id: 948175,
    message: 'Address of another host, written so that checks take it for a path or host of this one',
    targets: `${valuesAndCookies}|REQUEST_FILENAME`,
    pattern: String.raw`(?i)^\s*(?:/{3,}[\w-]+\.\w|/{1,4}(?:\x5c|<>|;@)+/*[\w-]|/{1,3}[\t\r\n]+/{0,2}[\w-]|https?:/[\w-]+\.\w|https?:/{3,}[\w-]+\.\w|<>//\w|https?://[\w.-]+(?:\x5c+\.|[?#]\.\w)|(?:https?:)?//[\w.-]*\xe3\x80\x82|\x5c\x5c(?:[\w-]+\.)+[a-z]{2,12}[/\x5c]?$|/?(?:%2f%5c|%68%74%74%70)|https?://%[4-7][\da-f]%|//[\w.-]+/(?:%2f|%5c|\.\.)|https?:(?:[\w-]+\.)+[a-z]{2,12}(?:[/:?#]|$)|https?:(?:\x5c[\w\x5c]|\x5c/[\w-]|/+\x5c)|\x5c+/+(?:[\w-]+\.)+[a-z]{2,12}(?:[/:?#]|$)|\x5c{3,}[\w-]+\.\w|/(?:\./)+\x5c|(?:https?:)?//[\w.:-]+(?:\x5c|[#;]@)|(?:https?:)?//[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|cn|example|local|tld)(?::\d+)?@[\w[]|//(?:0x[\da-f]{1,8}|\d{8,10})(?:[/.:]|$)|:@[\w-]+\.\w|/?(?:\xe3\x80[\xb1\xb5]|\xe3\x82\x9d|\xe3\x83\xbc|\xef\xbd\xb0)[\w-]+(?:\.[\w-]+)+$)`,
    tags: ['attack-rfi'],
  },
  {
    id: 948114,
    message: 'Host without a scheme, or URL behind a slash, as the place where a browser is to go',
    targets: namesOfTargets,
    pattern: String.raw`(?i)^\s*(?:(?://|\x5c\x5c|[.@])(?:[\w-]+\.)+[a-z]{2,12}(?::\d+)?[/\x5c#@]*$|//\d{1,3}(?:\.\d{1,3}){3}(?:[:/?#]|$)|/+https?:)`,
    isOfOtherHost: true,
    tags: ['attack-rfi'],
  },
]
