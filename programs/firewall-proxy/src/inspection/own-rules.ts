import type { RuleSource } from '@palisade/seclang'
import { exploitRules } from './exploits/exploit-rules.ts'
import { languageRules } from './language-rules.ts'
import { payloadRules } from './payload-rules.ts'
import { values, valuesAndCookies } from './rule-targets.ts'
import { urlRules } from './url-rules.ts'
import { type WrittenRule, writtenRule } from './written-rule.ts'

/** Operators of MongoDB by which a query finds more than was meant; those of OData, JSON Schema and JSON.NET are others. */
const mongoOperators = String.raw`\$(?:n(?:e|in|or)|mod|slice|unionWith|graphLookup|currentOp|geoWithin|eq|[gl]te?|in|or|and|not|regex|where|exists|elemMatch|expr|lookup|func|function|accumulator|jsonSchema)`

/** Where applications let their clients query, as CouchDB does at `_find`: operators are what such parameters are for. */
const queries = '(?:selector|filters?|where|query|pipeline)'

/** What templates have to have in them before they do harm: ways from a value to the classes of the language, and from there to a shell. */
const waysOutOfTemplates = [
  '__(?:class|mro|bases?|subclasses|globals|init|builtins|import|dict|getattribute)__',
  String.raw`_self\.env|registerUndefinedFilterCallback`,
  String.raw`\bconstructor\s*(?:\.\s*constructor|\[|\()`,
  String.raw`process\s*\.\s*(?:mainModule|binding)|child_process`,
  String.raw`\|\s*(?:attr|map|filter|sort|reduce)\s*\(\s*["'](?:__|system|exec|passthru|shell_exec|popen|assert)`,
  String.raw`\bdump\s*\(\s*app\b|app\.request\.server|request\.application`,
].join('|')

/** Packages whose classes no client has to name as the type of an object. */
const typeOfJava = String.raw`\[?L{0,4}(?:javax?|sun|com\.(?:sun|mchange|alibaba|zaxxer|mysql|caucho|ibatis)|org\.(?:apache|springframework|hibernate|codehaus|jboss|quartz|docx4j|jdom2?|slf4j|jsecurity|aoju|datanucleus|mortbay)|oracle\.(?:jdbc|jms|toplink)|br\.com\.anteros|ch\.qos|net\.sf)\.`

/** The end of the first string that a value has in it, or of the one that it is put into. */
const endOfFirstString = String.raw`^[^"'\x60]{0,200}["'\x60]`

/**
 * Dots and a slash that were encoded once more than their application takes back, or in forms of UTF-8 that are none. What rules make of `%u2215` and
 * `%u2216` are control characters.
 */
const encodedDot = String.raw`(?:\.|%(?:25)*2e|%(?:25)*c0%(?:25)*[2ae]e|%u(?:002e|ff0e|2024)|0x2e)`
const encodedSlash = String.raw`(?:%(?:25)*(?:2f|5c)|(?:%(?:25)*c0|\xc0)(?:%(?:25)*(?:af|2f|5c)|[\xaf/\x5c])|(?:%(?:25)*c1|\xc1)(?:%(?:25)*(?:9c|1c|af)|[\x9c\x1c\xaf])|%u(?:221[56]|002f|efc8|f025)|[\x15\x16]|0x(?:2f|5c))`

const functionsOfScripts = String.raw`(?:(?:alert|confirm|prompt)\s*[(\x60]|(?:eval|fetch|import|atob|set(?:timeout|interval))\s*\()`
const objectsOfBrowsers = String.raw`(?:document|window|location|self|top|parent|globalthis)\s*[.=[]`

/** Of 948000 to 948999, which the Core Rule Set leaves free and which are rules about attacks to profiles and second opinions. */
const ownRules: readonly WrittenRule[] = [
  {
    id: 948100,
    message: 'Operator of a query of MongoDB as the name of a parameter',
    targets: String.raw`ARGS_NAMES|!ARGS_NAMES:/^${queries}[.\[]/`,
    pattern: String.raw`(?:^|[.\[])${mongoOperators}(?:$|[.\]])`,
    tags: ['attack-sqli'],
  },
  {
    id: 948101,
    message: 'Operator of a query of MongoDB in JSON in a value',
    targets: `${valuesAndCookies}|!ARGS:/^${queries}$/`,
    pattern: String.raw`[{,]\s*["']${mongoOperators}["']\s*:`,
    tags: ['attack-sqli'],
  },
  {
    id: 948121,
    message: 'Name of a class as the type of an object of Java',
    targets: String.raw`ARGS:/(?:^|\.)(?:@type|@class)$/`,
    pattern: `^${typeOfJava}`,
    tags: ['attack-rce', 'language-java'],
  },
  {
    id: 948122,
    message: 'Class of Java that runs what it is given when it is deserialized',
    targets: values,
    pattern: String.raw`^(?:[\w$]+\.)+(?:(?:ClassPath|FileSystem)XmlApplicationContext|JdbcRowSetImpl|TemplatesImpl|JndiRefForwardingDataSource|JndiDataSourceFactory|WrapperConnectionPoolDataSource|ScriptEngineManager|PropertyPathFactoryBean)$|[\x22']@(?:type|class)[\x22']\s*:\s*[\x22']${typeOfJava}|(?:^|[:[,])\s*\[\s*[\x22']${typeOfJava}[\w.$]+[\x22']\s*,\s*[[{]`,
    tags: ['attack-rce', 'language-java'],
  },
  {
    id: 948123,
    message: 'Serialized object of .NET',
    targets: `${valuesAndCookies}|REQUEST_HEADERS|XML:/*`,
    // Of BinaryFormatter, and of LosFormatter with such an object in it. A view state begins in another way.
    pattern: 'AAEAAAD/{5}|^/wEy',
    tags: ['attack-rce'],
  },
  {
    id: 948124,
    message: 'Class of .NET that runs what it is given when it is deserialized',
    targets: String.raw`ARGS:/(?:^|\.)(?:\$|__)type$/`,
    pattern: String.raw`^System\.(?:Windows\.(?:Data\.ObjectDataProvider|ResourceDictionary)|Diagnostics\.Process|Configuration\.Install\.|Management\.Automation\.|Workflow\.ComponentModel\.|Activities\.Presentation\.|Security\.Principal\.WindowsIdentity|Web\.Security\.RolePrincipal)`,
    tags: ['attack-rce'],
  },
  {
    id: 948125,
    message: 'Serialized object of Python that calls a function of the system',
    targets: `${valuesAndCookies}|REQUEST_HEADERS`,
    // Its protocols 2 to 5, and the names of modules by which protocols 0 and 1 begin.
    pattern:
      '^(?:gA(?:[IJKLMN]|SV|WV)|Y(?:3Bvc2l4C|29zC|250C|3N1YnByb2Nlc3M|19fYnVpbHRpbl9f|2J1aWx0aW5z|2NvbW1hbmRz))',
    decodedPattern: String.raw`posix|subprocess|builtin|commands|runpy|\x8c\x02(?:os|nt)|c(?:os|nt)\n`,
    tags: ['attack-rce'],
  },
  {
    id: 948126,
    message: 'Serialized object of Python that calls a function of the system',
    targets: `${valuesAndCookies}|REQUEST_HEADERS`,
    pattern: String.raw`^c(?:os|posix|nt|subprocess|builtins|__builtin__|commands|pty|runpy)(?:[\r\n ]+|\x5cn)\w+(?:[\r\n ]+|\x5cn)(?:p\d+(?:[\r\n ]+|\x5cn)|q[^\w(]?)?\(`,
    tags: ['attack-rce'],
  },
  {
    id: 948127,
    message:
      'Object of Python, Ruby, Java or JavaScript in YAML, or of Python or Ruby in JSON within a value',
    targets: valuesAndCookies,
    pattern: String.raw`!(?:!python/(?:object|name|module)|ruby/(?:object|hash|struct|class))\b|!!js/(?:function|undefined|regexp)|!!(?:[a-z]\w*\.){1,6}[A-Z]|[\x22']json_class[\x22']\s*:\s*[\x22'](?:Gem|Kernel|ERB|Active\w+|JSON)|[\x22']py/(?:reduce|function|object|type)[\w/]{0,20}[\x22']\s*:`,
    tags: ['attack-rce'],
  },
  {
    id: 948128,
    message: 'Serialized object of Ruby that runs what it is given',
    targets: `${valuesAndCookies}|REQUEST_HEADERS`,
    pattern: '^BAh[bjvJ0U]?',
    decodedPattern: 'Gem::(?:Requirement|SpecFetcher|Installer|Package)|ActiveSupport::Deprecation|Kernel',
    tags: ['attack-rce'],
  },
  {
    id: 948129,
    message: 'Name of a class of Java as the type of an object, in a list that is a whole document of JSON',
    targets: 'ARGS:array.array',
    pattern: String.raw`^${typeOfJava}[\w.$]+$`,
    tags: ['attack-rce', 'language-java'],
  },
  {
    id: 948130,
    message: 'Sum that tells whether a template is evaluated',
    targets: valuesAndCookies,
    pattern: String.raw`(?:\{\{|[$#*@%~]\{|<%=|@\()\s*["']?\d+["']?\s*[*+/ -]\s*["']?\d+["']?\s*(?:\}|%>|\))`,
    tags: ['attack-rce'],
  },
  {
    id: 948131,
    message: 'Template that reaches for classes or commands',
    targets: valuesAndCookies,
    pattern: String.raw`(?:\{\{|\{%|[$#]\{|<%)[\s\S]*(?:${waysOutOfTemplates})`,
    tags: ['attack-rce'],
  },
  {
    id: 948132,
    message: 'Template that shows or puts together what it may not name',
    targets: valuesAndCookies,
    pattern: String.raw`\{\{-?\s*config\s*(?:\.items\(|\}\}|\|)|\{\{[^}]*\[\s*["'][^"'\]]*["'][\s+~]+["']|\{\{-?\s*request\b|\{\{#with\s+["'][^"']*["']\s+as\s+\|`,
    tags: ['attack-rce'],
  },
  {
    id: 948140,
    message: 'Document that has others included (XInclude)',
    targets: 'XML://@*',
    pattern: String.raw`^http://www\.w3\.org/200[13]/XInclude$`,
    tags: ['attack-rfi'],
  },
  {
    id: 948150,
    message: 'String of a statement that is ended, and a comment instead of the rest',
    targets: valuesAndCookies,
    pattern: String.raw`^[^"'\x60]{0,100}["']\s*\)*\s*;?\s*(?:--[\s-]*|#)\s*$`,
    tags: ['attack-sqli'],
  },
  {
    id: 948151,
    message: 'Condition of XPath behind the end of a string, or steps to all nodes',
    // Functions of OData have the same names.
    targets: String.raw`${valuesAndCookies}|!ARGS:/^\$filter$/`,
    pattern: String.raw`(?i)["']\s*\]?\s*(?:or|and)\s+(?:not\s*\(\s*)?(?:(?:local-)?name|count|string-length|substring|position|last|contains|starts-with|true|false|lang)\s*\(|["']\s*(?:\|\s*/\*?\s*\||\]\s*/\*\s*[[/])|\bdoc\s*\(\s*["'](?:https?|ftp|file):|\b(?:normalize-space|string|count|name)\s*\(\s*//[\w*@]|^/(?:/@\*|\*/\*$)|["']\s*(?:or|and)\s+@\w+\s*[=<>]|^(?:\.\./)+\*$|(?:^|[/(|])(?:child|parent|self|ancestor|descendant|following|preceding|attribute)(?:-or-self|-sibling)?::(?:\*|@|node\(|text\(|comment\()`,
    tags: ['attack-sqli'],
  },
  {
    id: 948152,
    message: 'Condition of LDAP behind the end of a value',
    targets: valuesAndCookies,
    // A filter that is one as a whole begins with a parenthesis.
    pattern: String.raw`^(?:[^()=]{0,60}\)+\s*\(+\s*(?:[|&!]\s*[()]|&\)|[\w.;-]{1,40}\s*(?:[~<>]?=|:[\w.]{0,40}:?=)[^=])|\*\s*\(\s*[|&]|[^(]+\(\s*[|&]\s*\(\s*[\w;.-]+\s*[~<>]?=(?!=)|[^(]*\)\s*\(\s*(?:\(?[|&!]\s*[()\w]|[\w;.-]+\s*[~<>]?=\s*\*)|\*\(\)\|[&%]|[^(]{0,60}\*\)\s*\(\s*[\w.-]{1,40}\s*[~<>]?=|[^(]{0,60}\)\s*\(\s*(?i:uid|cn|sn|mail|objectClass|userPassword)=|\((?:[&|!]\s*(?:\([\w.-]{1,40}[~<>]?=[^()]{0,60}\)\s*){0,8}\()?(?i:uid|cn|sn|mail|objectClass|(?:user)?Password|sAMAccountName)=\*\))`,
    tags: ['attack-ldap', 'language-ldap'],
  },
  {
    id: 948153,
    message: 'Call of a script behind the end of a string',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)${endOfFirstString}\s*[)\]}]*\s*[;+,|&*?^-]+\s*(?:[\w$]+\s*=\s*)?(?:${functionsOfScripts}|${objectsOfBrowsers})`,
    tags: ['attack-xss'],
  },
  {
    id: 948154,
    message: 'Code behind the end of a string or statement, and a comment instead of the rest',
    targets: valuesAndCookies,
    pattern: String.raw`^[^"'\x60;]{0,200}(?:["'\x60]\s*[)\]}]*\s*[;.+,|&*-]|;)\s*[\w$]+\s*[=(][\s\S]*[);]\s*(?://|#|/\*|<!--)\s*$`,
    tags: ['attack-injection-php'],
  },
  {
    id: 948155,
    message:
      'Way to folders above in backslashes, in an encoding that is none, or with what filters take out',
    targets: valuesAndCookies,
    pattern: String.raw`(?i)(?:^|[\x5c=])\.\.\x5c|(?:\.{3,4}[\x5c/]{2}){2}|${encodedDot}{2}${encodedSlash}`,
    tags: ['attack-lfi'],
  },
]

const allRules = [...ownRules, ...urlRules, ...exploitRules, ...payloadRules, ...languageRules]

/** How many of them a rule set has, without the second halves of chains. */
export const ownRuleCount = allRules.length

/**
 * Rules of our own, for attacks that the Core Rule Set finds at none or only at higher paranoia levels. They raise the score of its
 * versions 3 and 4 by what its critical rules do, so that they are rules like others to exceptions, policies and logs. Where there is no such
 * score they match and do nothing. They go before the rules that judge by the score.
 */
export const ownRuleSource: RuleSource = {
  name: 'rules of Palisade',
  text: allRules.map(writtenRule).join('\n'),
}
