import type { Section } from '../../../kinds/kind.ts'

export const urlNormalization = {
  title: 'URL Normalization',
  description: '',
  fields: {
    'apply-double-decoding': { type: 'yes-no', default: 'No' },
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
    },
    'detect-response-charset': { type: 'yes-no', default: 'No' },
    'normalize-special-chars': { type: 'yes-no' },
    'parameter-separators': {
      type: 'choice',
      values: ['Ampersand and Semicolon', 'Ampersand only', 'Semicolon only'],
      default: 'Ampersand only',
    },
  },
} as const satisfies Section
