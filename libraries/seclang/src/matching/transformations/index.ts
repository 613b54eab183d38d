import { hash as digestOf } from 'node:crypto'
import { foldCase } from '../fold-case.ts'
import { base64Decode, base64DecodeExt, base64Encode } from './base64.ts'
import {
  compressWhitespace,
  removeNulls,
  removeWhitespace,
  replaceNulls,
  trim,
  trimLeft,
  trimRight,
} from './blanks.ts'
import { cmdLine } from './command-line.ts'
import { removeComments, removeCommentsChar, replaceComments } from './comments.ts'
import { cssDecode, escapeSeqDecode, jsDecode } from './escape-sequences.ts'
import { features } from './features.ts'
import { hexDecode, hexEncode, sqlHexDecode } from './hexadecimal.ts'
import { htmlEntityDecode } from './html.ts'
import { parityEven7bit, parityOdd7bit, parityZero7bit } from './parity.ts'
import { normalisePath, normalisePathWin } from './path.ts'
import type { Transformation } from './transformation.ts'
import { type UnicodeMap, urlDecode, urlDecodeUni, urlEncode } from './url.ts'
import { utf8toUnicode } from './utf8.ts'

const { any, backslash, blank, hash, hyphen, percent, plus, separator, slash, star } = features

type Row = readonly [name: string, apply: (value: string) => string, featureMask: number]

const rows: readonly Row[] = [
  ['none', (value) => value, 0],
  ['lowercase', foldCase, features.upperCase],
  ['uppercase', uppercase, features.lowerCase],
  ['urlDecode', urlDecode, percent | plus],
  ['urlDecodeUni', (value) => urlDecodeUni(value), percent | plus],
  ['urlEncode', urlEncode, any],
  ['htmlEntityDecode', htmlEntityDecode, features.ampersand],
  ['jsDecode', jsDecode, backslash],
  ['cssDecode', cssDecode, backslash],
  ['escapeSeqDecode', escapeSeqDecode, backslash],
  ['base64Decode', base64Decode, any],
  ['base64DecodeExt', base64DecodeExt, any],
  ['base64Encode', base64Encode, any],
  ['hexDecode', hexDecode, any],
  ['hexEncode', hexEncode, any],
  ['sqlHexDecode', sqlHexDecode, features.zero | features.nul],
  ['cmdLine', cmdLine, features.upperCase | features.quote | features.nul | separator | backslash | blank],
  ['compressWhitespace', compressWhitespace, blank],
  ['removeWhitespace', removeWhitespace, blank],
  ['trim', trim, blank],
  ['trimLeft', trimLeft, blank],
  ['trimRight', trimRight, blank],
  ['removeNulls', removeNulls, features.nul],
  ['replaceNulls', replaceNulls, features.nul],
  ['replaceComments', replaceComments, star],
  ['removeComments', removeComments, star | hyphen | hash],
  ['removeCommentsChar', removeCommentsChar, star | hyphen | hash],
  ['normalisePath', normalisePath, slash | features.dot],
  ['normalizePath', normalisePath, slash | features.dot],
  ['normalisePathWin', normalisePathWin, slash | features.dot | backslash],
  ['normalizePathWin', normalisePathWin, slash | features.dot | backslash],
  ['length', (value) => String(value.length), any],
  ['md5', md5, any],
  ['sha1', sha1, any],
  ['utf8toUnicode', utf8toUnicode, features.high | features.nul],
  ['parityEven7bit', parityEven7bit, any],
  ['parityOdd7bit', parityOdd7bit, any],
  ['parityZero7bit', parityZero7bit, features.high],
]

const onlyCase: ReadonlySet<Row[1]> = new Set([foldCase, uppercase])

/** All transformations by lower-cased name. */
export const transformations: ReadonlyMap<string, Transformation> = new Map(
  rows.map(([name, apply, featureMask]) => {
    const lowerCased = name.toLowerCase()
    const transformation = { name: lowerCased, apply, featureMask }
    return [lowerCased, onlyCase.has(apply) ? { ...transformation, changesOnlyCase: true } : transformation]
  }),
)

/** `urlDecodeUni` with the code page of `SecUnicodeMapFile`. */
export function urlDecodeUniWith(map: UnicodeMap): Transformation {
  return {
    name: 'urldecodeuni',
    apply: (value) => urlDecodeUni(value, map),
    featureMask: percent | plus,
  }
}

/** a–z as A–Z, nothing else. */
function uppercase(value: string): string {
  return value.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
}

function digest(algorithm: string, value: string): string {
  return digestOf(algorithm, Buffer.from(value, 'latin1'), 'buffer').toString('latin1')
}

/** The 16 bytes of the digest, not their digits. */
function md5(value: string): string {
  return digest('md5', value)
}

/** The 20 bytes of the digest, not their digits. */
function sha1(value: string): string {
  return digest('sha1', value)
}
