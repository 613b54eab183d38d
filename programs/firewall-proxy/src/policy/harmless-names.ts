import { type RuleExclusion, withoutPercents } from '@palisade/seclang'

/** Names of parameters as applications give them: none of them is a statement or a command, though words of those are in it. */
const plainName = /^\$?[a-z_][\w.:-]{0,200}(?:\[[\w.:-]{0,200}\]){0,16}$/i

/** Under these, applications let their clients query with operators: `filters[price][$gte]`. Our own rule about such names leaves them out, too. */
const nameOfQuery = /^(?:selector|filters?|where|query|pipeline)[.[]/i

/** A line break that could end a header, in any coding. */
const lineBreak =
  /[\r\n\u0085]|%(?:25)*(?:0[ad]|u000[ad])|\\(?:[rn]|x0[ad]|u000[ad])|&(?:#(?:x0*[ad]|0*1[03])|newline)\b/i

/** What a header could be behind a line break, or the empty line behind all of them. A carriage return alone ends no line of a text. */
const headerBehindBreak = /\n[^\S\n]*(?:[a-z][\w-]{0,80}[^\S\n]*:|\n[^\S\n]*\S)|\r|\bhttp\//i

const page = /<\s*(?:html|meta)/i

/**
 * What ends as names of sites, schemas, certificates, fragments of numbered articles, libraries of IIS and resources of ASP.NET do; without what
 * shows the errors of a server or has been exploited.
 */
const plainFile =
  /\.(?:com|xsd|cer)$|^(?!trace|elmah|error|glimpse|routedebug|profiler)[\w.-]+\.axd$|^(?!msadc|httpodbc|fp\d|shtml|author|admin|idq|ism|webhits|nsiislog|owssvr|cmd)[\w-]+\.dll$|^[\w-]*\d{6}[\w-]*\.inc$/i

/** Files of users' folders begin with a dot; `/api/user.profile` and `/rpc/chat.history` do not. Nor has such a path one of the other names that the rule has. */
const restrictedFile =
  /\/\.|[%\\]|wp-config|\/config\/|settings|local\.xml|sftp-config|web\.config|package|gruntfile|npm-debug|ormconfig|tsconfig|webpack|yarn\.lock|composer|nbproject|bower\.json|database\.yml|dockerfile/i

/** Names of what is largest. */
const nameOfLimit =
  /(?:^|[:._[-])(?:policy|range|quota|timeout|ttl|expir(?:y|es|ation)|(?:max|min)\w*|\w*(?:size|limit|length|bytes|count|max))\]?$/i

/** The largest numbers of 31 and 32 bits, and those behind them: applications write them for "without a limit". */
const largestNumber = /^(?:214748364[78]|429496729[56])$/

/** An interface whose commands are posted to one file, in a folder for interfaces. */
const fileOfInterface = /^(?:\/[\w-]{1,40}){0,4}\/(?:soap|xml-?rpc)\/cmd\.php(?:\?|$)/i

/** A member of a document within others, such as `configuration.routing.profile`: the file of that name begins with the dot. */
const memberNamedProfile = /^[a-z_][\w-]{0,80}(?:\.[\w-]{1,80}){0,16}\.profile(?:\.[\w-]{1,80}){0,16}$/i

/** Folders of routes as frameworks of JavaScript name them, each in brackets as a whole: `/app/[lang]/(shop)/[...slug]/page-1a2b.js`. No brackets follow others. */
const pathOfRoutes =
  /^(?:\/(?:[\w.@~-]{1,200}|(?:\[|%5b){1,2}(?:\.{3})?[\w-]{1,80}(?:\]|%5d){1,2}|\((?:\.{1,3}|[\w-]{1,80})\)[\w-]{0,80}))+$/i

/**
 * What rules leave out because of how names are written: of parameters, of uploads, of files that are asked for, and of the version of HTTP by which a
 * browser says that it loaded something.
 */
export const harmlessNames: readonly RuleExclusion[] = [
  { rules: { first: 921_150, last: 921_150 }, targets: ['ARGS_NAMES'], hasValue: isLinesOfText },
  {
    rules: { first: 942_100, last: 942_999 },
    targets: ['ARGS_NAMES'],
    hasValue: (name) => plainName.test(name) || nameOfQuery.test(name),
  },
  {
    rules: { first: 932_100, last: 932_999 },
    targets: ['ARGS_NAMES'],
    hasValue: (name) => plainName.test(name),
  },
  { rules: { first: 920_120, last: 920_120 }, targets: ['FILES', 'FILES_NAMES'], hasValue: hasPlainMarks },
  {
    rules: { first: 921_130, last: 921_130 },
    targets: ['ARGS', 'REQUEST_COOKIES'],
    hasValue: (value) =>
      !lineBreak.test(value) && !page.test(withoutPercents(value)) && !/&(?:#|lt)/i.test(value),
  },
  {
    rules: { first: 920_440, last: 920_440 },
    targets: ['REQUEST_BASENAME'],
    hasValue: (name) => plainFile.test(name),
  },
  {
    rules: { first: 930_130, last: 930_130 },
    targets: ['REQUEST_FILENAME'],
    hasValue: (path) => !restrictedFile.test(path),
  },
  {
    rules: { first: 942_220, last: 942_220 },
    targets: ['ARGS'],
    hasValue: (value, name) => largestNumber.test(value) && nameOfLimit.test(name),
  },
  {
    rules: { first: 948_250, last: 948_250 },
    targets: ['REQUEST_URI'],
    hasValue: (address) => fileOfInterface.test(address),
  },
  {
    rules: { first: 930_120, last: 930_120 },
    targets: ['ARGS_NAMES'],
    hasValue: (name) => memberNamedProfile.test(name),
  },
  {
    rules: { first: 933_210, last: 933_210 },
    targets: ['REQUEST_FILENAME'],
    hasValue: (path) => pathOfRoutes.test(path),
  },
]

/** Marks that people use in names, and by which nobody ends a name to begin another, or a string of SQL. */
function hasPlainMarks(name: string): boolean {
  if (/["\\\r\n\0]|(?<!\p{L})'|'(?![\p{L} ])|(?:file)?name\*?\s*=/iu.test(name)) return false
  if (/--|#|\/\*|\b(?:select|union)\b/i.test(name)) return false
  return !(name.includes(';') && name.includes('='))
}

/**
 * Whether a name has line breaks because it is no name but a text, as `curl -d` sends files under the type of a form and tables have titles in two lines. A
 * header that is injected needs its name and a colon behind a line break.
 */
function isLinesOfText(name: string): boolean {
  const text = withoutPercents(name)
    .replaceAll(/\\(?:r|u000d)/gi, '\r')
    .replaceAll(/\\(?:n|u000a)/gi, '\n')
    .replaceAll('\r\n', '\n')
  return /[ \t,;<{"']/.test(text) && !headerBehindBreak.test(text) && !/&(?:#|newline)/i.test(text)
}
