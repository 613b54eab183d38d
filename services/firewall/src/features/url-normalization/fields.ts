import type { Section } from '../../kinds/kind.ts'

/** Has no switch: it holds wherever the policy does. */
export const urlNormalization = {
  title: 'URL Normalization',
  description: 'Brings URLs and parameters into one form before they are checked.',
  fields: {
    'apply-double-decoding': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether what was decoded is decoded once more.',
    },
    'default-charset': {
      type: 'choice',
      values: [
        'ASCII',
        'ISO-8859-1',
        'UTF-8',
        'GBK',
        'GB2312',
        'ISO-2022-CN',
        'HZ',
        'BIG5',
        'EUC-TW',
        'Shift-JIS',
        'EUC-JP',
        'ISO-2022-JP',
        'EUC-KR',
        'JOHAB',
        'ISO-2022-KR',
      ],
      default: 'UTF-8',
      description: 'The character set of requests that do not tell it.',
    },
    'detect-response-charset': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether the character set is taken from the responses of the servers.',
    },
    'normalize-special-chars': {
      type: 'yes-no',
      description:
        'Whether look-alikes of ASCII characters, such as full-width letters, are replaced by these.',
    },
    'parameter-separators': {
      type: 'choice',
      values: ['Ampersand and Semicolon', 'Ampersand only', 'Semicolon only'],
      default: 'Ampersand only',
      description: 'What stands between the parameters of a URL.',
    },
  },
} as const satisfies Section
