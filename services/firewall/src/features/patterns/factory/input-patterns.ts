import type { FactoryPatterns } from './factory-patterns.ts'

/** What the value of a parameter has to be like as a whole: one of the patterns of its type. */
export const inputPatterns: FactoryPatterns = {
  Alpha: { letters: { regex: /^[A-Za-z]*$/, description: 'Letters of ASCII.' } },
  Alphanumeric: {
    'letters-and-digits': { regex: /^[A-Za-z0-9]*$/, description: 'Letters of ASCII and digits.' },
  },
  'Credit Cards': {
    'card-number': {
      regex: /^[0-9](?:[ -]?[0-9]){12,18}$/,
      description: '13 to 19 digits, also in groups.',
      algorithm: 'Credit Card Check Digit',
    },
  },
  Date: {
    'year-month-day': {
      regex: /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/,
      description: 'As ISO 8601 has it, 2024-02-29.',
    },
    'day-month-year': {
      regex: /^(?:0?[1-9]|[12][0-9]|3[01])[./-](?:0?[1-9]|1[0-2])[./-](?:[0-9]{2}|[0-9]{4})$/,
      description: 'As in Europe, 29.2.2024.',
    },
    'month-day-year': {
      regex: /^(?:0?[1-9]|1[0-2])[/-](?:0?[1-9]|[12][0-9]|3[01])[/-](?:[0-9]{2}|[0-9]{4})$/,
      description: 'As in the United States, 2/29/2024.',
    },
  },
  Email: {
    address: {
      regex: /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/,
      description: 'An address with a domain of two parts or more.',
    },
  },
  'Hex Number': {
    hexadecimal: { regex: /^(?:0[xX])?[0-9A-Fa-f]+$/, description: 'Hexadecimal digits.' },
  },
  Name: {
    'personal-name': {
      regex: /^[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ .'-]{0,127}$/,
      description: 'Latin letters with blanks, dots, apostrophes and hyphens.',
    },
  },
  Numeric: {
    decimal: { regex: /^[+-]?[0-9]+(?:\.[0-9]+)?$/, description: 'A number, also with a sign and decimals.' },
  },
  String: {
    text: {
      regex: /^[\t\n\r -~\xa0-\uffff]*$/,
      description: 'Text of any length, without control characters.',
    },
  },
}
