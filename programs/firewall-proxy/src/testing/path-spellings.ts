/** What some server takes for `..`, in an address. */
const stepsUp = [
  '%252e%252e',
  '%25252e%25252e',
  '.%252e',
  '%%32%65.',
  '%u002e%u002e',
  '%u2024.',
  '%c0%ae%c0%ae',
  '%c0%2e%c0%2e',
  '%e0%80%ae.',
  '%f0%80%80%ae.',
  '%ef%bc%8e%ef%bc%8e',
  '%e2%80%a4.',
  '..%00',
  '.%00.',
  '..%09',
  '.%09.',
  '%0d..',
  '..%7f',
  '..%20',
  '%20..',
  '..%2520',
  '..+',
  '...',
  '..%20.',
  '..;',
  '..;x=1',
  '..%253b',
]

/** What some server takes for `/../`. */
const stepsUpWithSlashes = [
  '/..%255c',
  '/..%252f',
  '/..%c0%af',
  '/..%c1%9c',
  '/..%u2215',
  '/..%ef%bc%8f',
  '/..%e2%88%95',
]

/** What all take for `/../`, or nothing: the server is asked for the address without it. */
const stepsUpForAll = ['/../', '/%2e%2e/', '/..%2f', '%5c..%5c', '\\..\\']

/** Addresses that begin as those of one folder and that some servers take for one in another folder. */
export function pathsOutOf(from: string, to: string): readonly string[] {
  const steps = [...stepsUp.map((step) => `/${step}/`), ...stepsUpWithSlashes]
  return steps.map((step) => `/${from}${step}${to}/x`)
}

/** Addresses that lead out of one folder into another one for all. */
export function openPathsOutOf(from: string, to: string): readonly string[] {
  return stepsUpForAll.map((step) => `/${from}${step}${to}/x`)
}

/** Addresses that some server takes for `/admin/x`, and nearly all others for something of no other folder. */
export const spellingsOfAdmin = [
  '/%61dmin/x',
  '/%2561dmin/x',
  '/%u0061dmin/x',
  '/%ef%bd%81dmin/x',
  '/admin%00/x',
  '/%00admin/x',
  '/ad%09min/x',
  '/admin%20/x',
  '/admin./x',
  '/admin;a/x',
  '/admin%253ba/x',
  '/admin%255cx',
  '/%2fadmin/x',
  '/.%00/admin/x',
]

/** Names in a folder that ordinary applications use. */
export const ordinaryNames = [
  'x',
  'x.txt',
  'v1.2/x..y',
  'a%20b',
  'a+b',
  'c++',
  'caf%C3%A9',
  '%E6%97%A5%E6%9C%AC',
  '%EF%BC%B6%EF%BC%91',
  '%5Bid%5D',
  'a%26b=c',
  'help:a@b,c',
  "it's(1)!*",
  'U.S.',
  '%7Euser',
  '.well-known/x',
  '',
]
