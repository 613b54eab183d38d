import { overlong, percent, percentU } from './forms-of-a-value.ts'
import type { RequestVariant } from './request-variant.ts'

export const inUrl: readonly RequestVariant[] = [
  { name: 'query', target: (value) => `/?id=${encodeURIComponent(value)}`, isOrdinary: true },
  { name: 'query, every byte encoded', target: (value) => `/?id=${percent(value)}`, isOrdinary: true },
  {
    name: 'query, blanks as plus',
    target: (value) => `/?id=${encodeURIComponent(value).replace(/%20/g, '+')}`,
    isOrdinary: true,
  },
  {
    name: 'query, name of a parameter',
    target: (value) => `/?${encodeURIComponent(value)}=1`,
    isOrdinary: false,
  },
  {
    name: 'query, second of a name',
    target: (value) => `/?id=1&id=${encodeURIComponent(value)}`,
    isOrdinary: true,
  },
  { name: 'query, array', target: (value) => `/?id[]=${encodeURIComponent(value)}`, isOrdinary: true },
  {
    name: 'query of HEAD',
    method: 'HEAD',
    target: (value) => `/?id=${encodeURIComponent(value)}`,
    isOrdinary: true,
  },
  {
    name: 'query, every character as %u',
    target: (value) => `/?id=${percentU(value)}`,
    isOrdinary: false,
  },
  {
    name: 'query, doubly encoded',
    target: (value) => `/?id=${encodeURIComponent(percent(value))}`,
    isOrdinary: false,
  },
  { name: 'query, overlong UTF-8', target: (value) => `/?id=${overlong(value)}`, isOrdinary: false },
  {
    name: 'query, invalid escape',
    target: (value) => `/?a=%zz&id=${encodeURIComponent(value)}`,
    isOrdinary: false,
  },
  { name: 'query, NUL before', target: (value) => `/?id=%00${encodeURIComponent(value)}`, isOrdinary: false },
  {
    name: 'query, Base64 without a name',
    target: (value) => `/?${Buffer.from(`${value} `).toString('base64')}`,
    isOrdinary: true,
  },
  {
    name: 'query, name encoded',
    target: (value) => `/?%69%64=${encodeURIComponent(value)}`,
    isOrdinary: true,
  },
  { name: 'query, no name', target: (value) => `/?${encodeURIComponent(value)}`, isOrdinary: false },
  { name: 'query, empty name', target: (value) => `/?=${encodeURIComponent(value)}`, isOrdinary: false },
  {
    name: 'query, behind a semicolon',
    target: (value) => `/?a=1;id=${encodeURIComponent(value)}`,
    isOrdinary: false,
  },
  {
    name: 'query, two question marks',
    target: (value) => `/?a=1?id=${encodeURIComponent(value)}`,
    isOrdinary: false,
  },
]
