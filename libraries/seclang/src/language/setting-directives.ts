import { readUnicodeMap } from '../matching/index.ts'
import type { Position } from './rule-set-failure.ts'
import type { LimitAction, Settings } from './settings.ts'
import { readByteString, resolveBeside } from './source-files.ts'

/** Sets what a directive says. Throws an Error that says what was expected. */
type SettingDirective = (settings: Settings, words: readonly string[], at: Position) => void

/** The directives that set something, by lower-cased name. */
export const settingDirectives: ReadonlyMap<string, SettingDirective> = new Map<string, SettingDirective>([
  [
    'secruleengine',
    (settings, words) => {
      settings.ruleEngine = oneOf(words, { on: 'on', off: 'off', detectiononly: 'detection-only' })
    },
  ],
  [
    'secrequestbodyaccess',
    (settings, words) => {
      settings.requestBodyAccess = onOrOff(words)
    },
  ],
  [
    'secrequestbodylimit',
    (settings, words) => {
      settings.requestBodyLimitBytes = wholeNumber(words)
    },
  ],
  [
    'secrequestbodynofileslimit',
    (settings, words) => {
      settings.requestBodyNoFilesLimitBytes = wholeNumber(words)
    },
  ],
  [
    'secrequestbodylimitaction',
    (settings, words) => {
      settings.requestBodyLimitAction = limitAction(words)
    },
  ],
  [
    'secrequestbodyjsondepthlimit',
    (settings, words) => {
      settings.jsonDepthMax = wholeNumber(words)
    },
  ],
  [
    'secargumentslimit',
    (settings, words) => {
      settings.argumentsMax = wholeNumber(words)
    },
  ],
  [
    'secuploadfilelimit',
    (settings, words) => {
      settings.filesMax = wholeNumber(words)
    },
  ],
  [
    'secresponsebodyaccess',
    (settings, words) => {
      settings.responseBodyAccess = onOrOff(words)
    },
  ],
  [
    'secresponsebodymimetype',
    (settings, words) => {
      const added = words.map((word) => word.toLowerCase())
      settings.responseBodyMimeTypes = [...new Set([...settings.responseBodyMimeTypes, ...added])]
    },
  ],
  [
    'secresponsebodymimetypesclear',
    (settings) => {
      settings.responseBodyMimeTypes = []
    },
  ],
  [
    'secresponsebodylimit',
    (settings, words) => {
      settings.responseBodyLimitBytes = wholeNumber(words)
    },
  ],
  [
    'secresponsebodylimitaction',
    (settings, words) => {
      settings.responseBodyLimitAction = limitAction(words)
    },
  ],
  [
    'secargumentseparator',
    (settings, words) => {
      const word = only(words)
      if (word.length !== 1) throw new Error(`one character was expected, not "${word}"`)
      settings.argumentSeparator = word
    },
  ],
  [
    'seccookieformat',
    (settings, words) => {
      settings.cookieFormat = oneOf(words, { '0': 0, '1': 1 })
    },
  ],
  [
    'seccollectiontimeout',
    (settings, words) => {
      settings.collectionTimeoutSeconds = wholeNumber(words)
    },
  ],
  [
    'secwebappid',
    (settings, words) => {
      settings.webApplicationId = only(words)
    },
  ],
  [
    'seccomponentsignature',
    (settings, words) => {
      settings.componentSignatures = [...settings.componentSignatures, only(words)]
    },
  ],
  [
    'secunicodemapfile',
    (settings, words, at) => {
      const [name, codePage] = words
      if (name === undefined || codePage === undefined || words.length !== 2) {
        throw new Error(`a file and a code page were expected, not ${words.length} words`)
      }
      settings.unicodeMap = readUnicodeMap(
        readByteString(resolveBeside(at.file, name)),
        wholeNumber([codePage]),
      )
      if (settings.unicodeMap === undefined) throw new Error(`the file ${name} has no code page ${codePage}`)
    },
  ],
])

/**
 * Directives that are understood and change nothing here: logs, temporary files and uploads are the caller's business,
 * regular
 * expressions are bounded by other means.
 */
export const directivesWithoutEffect: ReadonlySet<string> = new Set([
  'secauditengine',
  'secauditlog',
  'secauditlog2',
  'secauditlogdirmode',
  'secauditlogfilemode',
  'secauditlogformat',
  'secauditlogparts',
  'secauditlogrelevantstatus',
  'secauditlogstoragedir',
  'secauditlogtype',
  'secdatadir',
  'secdebuglog',
  'secdebugloglevel',
  'secgeolookupdb',
  'secpcrematchlimit',
  'secpcrematchlimitrecursion',
  'secrequestbodyinmemorylimit',
  'secstatusengine',
  'sectmpdir',
  'sectmpsaveuploadedfiles',
  'secuploaddir',
  'secuploadfilemode',
  'secuploadkeepfiles',
])

function only(words: readonly string[]): string {
  const [word] = words
  if (word === undefined || words.length !== 1) throw new Error(`one word was expected, not ${words.length}`)
  return word
}

function oneOf<T>(words: readonly string[], values: Readonly<Record<string, T>>): T {
  const word = only(words)
  const value = values[word.toLowerCase()]
  if (value === undefined)
    throw new Error(`one of ${Object.keys(values).join(', ')} was expected, not "${word}"`)
  return value
}

function onOrOff(words: readonly string[]): boolean {
  return oneOf(words, { on: true, off: false })
}

function limitAction(words: readonly string[]): LimitAction {
  return oneOf(words, { reject: 'reject', processpartial: 'process-partial' })
}

function wholeNumber(words: readonly string[]): number {
  const word = only(words)
  if (!/^\d{1,15}$/.test(word)) throw new Error(`a whole number was expected, not "${word}"`)
  return Number(word)
}
