import type { FactoryPatterns } from './factory-patterns.ts'

/** Patterns that harmless text matches too: for applications that expect no such text. */
export const strictAttackPatterns: FactoryPatterns = {
  'SQL Injection strict': {
    'quote-and-keyword': {
      regex: /['"`]\s{0,16}\)?\s{0,16}(?:and|group|having|limit|or|order|select|union)\b/,
      description: 'A quote before a word of SQL.',
    },
    'select-from': {
      regex: /\bselect\b[^;\n]{1,200}\bfrom\b/,
      description: 'A query.',
    },
    'change-of-data': {
      regex:
        /\b(?:delete\s{1,16}from|drop\s{1,16}(?:database|table)|insert\s{1,16}into|update\s{1,16}\S{1,64}\s{1,16}set)\b/,
      description: 'A statement that changes data.',
    },
    comment: { regex: /--(?:\s|$)|\/\*|\*\//, description: 'A comment.' },
    'hexadecimal-text': { regex: /\b0x[0-9a-f]{8,512}\b/, description: 'Text written as a number.' },
  },
  'Cross-Site Scripting strict': {
    'opening-tag': { regex: /<[a-z!?]/, description: 'The begin of any element.' },
    'closing-tag': { regex: /<\/[a-z]/, description: 'The end of any element.' },
    'event-attribute': {
      regex: /\bon[a-z]{3,24}\s{0,16}=/,
      description: 'An attribute that is run, wherever it is.',
    },
    'joined-text': {
      regex: /['"]\s{0,16}\+\s{0,16}['"(a-z]/,
      description: 'Texts that a script joins.',
    },
    'numeric-reference': {
      regex: /&#(?:x[0-9a-f]{1,6}|[0-9]{1,7});?/,
      description: 'A character that is written as a number.',
    },
  },
  'OS Command Injection strict': {
    'separator-and-word': {
      regex: /[;|`]\s{0,16}[a-z/][a-z0-9/._-]{1,40}/,
      description: 'Any word after what separates commands.',
    },
    variable: { regex: /\$(?:\{[a-z_]{1,32}\}|[A-Z_]{2,32}\b)/, description: 'A variable of a shell.' },
    redirection: {
      regex: /(?:^|\s)[0-9]?[<>]{1,2}\s{0,8}[/.&a-z]/,
      description: 'Output that goes to a file.',
    },
  },
  'Directory Traversal strict': {
    'two-dots': {
      regex: /\.\.(?:[/\\?#]|$)/,
      description: 'A step out of a directory, also at the end.',
    },
    'absolute-path': {
      regex: /^\/(?:boot|dev|etc|home|proc|root|sys|usr|var)\/|^[a-z]:[/\\]/,
      description: 'A path that begins at the root.',
    },
    'null-byte': { regex: /%00|\0/, description: 'A character that ends names for some systems.' },
  },
  'Apache struts attacks strict': {
    'any-expression': { regex: /[%$]\{/, description: 'The begin of any expression.' },
    'static-method': { regex: /@[a-z.]{2,120}@[a-z]{1,64}/, description: 'A method of a class.' },
  },
  'Remote File Inclusion strict': {
    'any-url': {
      regex: /^(?:data|dict|file|ftps?|gopher|https?|ldaps?|sftp|tftp):\/\//,
      description: 'A URL as value.',
    },
    'network-share': { regex: /^\\\\[^\s\\]{1,120}\\/, description: 'A share as value.' },
  },
}
