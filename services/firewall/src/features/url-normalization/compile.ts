import { isOn, text } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

export const normalizationReader = sectionReader(securityPolicy, 'url-normalization', {
  charset: ['default-charset', charsetOf],
  decodesTwice: ['apply-double-decoding', isOn],
  narrowsCharacters: ['normalize-special-chars', isOn],
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
