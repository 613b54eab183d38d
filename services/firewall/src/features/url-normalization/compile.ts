import { isOn, text } from '../../kinds/conversions.ts'
import { type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

/** How a policy reads URLs and parameters before anything is checked. There is no switch. */
export const normalizationReader = sectionReader(securityPolicy, 'url-normalization', {
  /** Of addresses and parameters: `utf-8`, or another label of the Encoding Standard; absent when any bytes are taken. */
  charset: ['default-charset', charsetOf],
  decodesTwice: ['apply-double-decoding', isOn],
  /** Whether full-width look-alikes of ASCII characters are replaced by these. */
  narrowsCharacters: ['normalize-special-chars', isOn],
  /** Each character of it stands between two parameters: `&`, `;` or `&;`. */
  parameterSeparators: ['parameter-separators', separatorsOf],
})

/** Labels of the Encoding Standard. What is not here is taken as any bytes. */
const charsets: Readonly<Record<string, string>> = {
  ASCII: 'ascii',
  BIG5: 'big5',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  GB2312: 'gbk',
  GBK: 'gbk',
  'ISO-2022-JP': 'iso-2022-jp',
  'Shift-JIS': 'shift_jis',
  'UTF-8': 'utf-8',
}

function charsetOf(name: Value | undefined): string | undefined {
  return charsets[text(name)]
}

/** "Ampersand and Semicolon" is "&;". */
function separatorsOf(names: Value | undefined): string {
  const separators = text(names)
  return `${separators.includes('Ampersand') ? '&' : ''}${separators.includes('Semicolon') ? ';' : ''}` || '&'
}

/** How addresses are read. */
export type SnapshotNormalization = Settings<typeof normalizationReader>
