import { ipMatch, ipMatchF, ipMatchFromFile } from './addresses.ts'
import { geoLookup, gsbLookup, noMatch, rbl, unconditionalMatch } from './constants.ts'
import { validateByteRange, validateUrlEncoding, validateUtf8Encoding } from './encodings.ts'
import { verifyCC, verifyCPF, verifySSN } from './identity-numbers.ts'
import { detectSQLi, detectXSS } from './injections.ts'
import { eq, ge, gt, le, lt } from './numbers.ts'
import type { OperatorFactory } from './operator.ts'
import { pm, pmFromFile, pmf } from './phrases.ts'
import { rx, rxGlobal } from './rx.ts'
import { beginsWith, contains, containsWord, endsWith, streq, strmatch, within } from './strings.ts'

const factories: readonly OperatorFactory[] = [
  ...[rx, rxGlobal, pm, pmf, pmFromFile],
  ...[streq, strmatch, contains, containsWord, beginsWith, endsWith, within],
  ...[eq, ge, gt, le, lt],
  ...[ipMatch, ipMatchF, ipMatchFromFile],
  ...[validateByteRange, validateUrlEncoding, validateUtf8Encoding],
  ...[detectSQLi, detectXSS],
  ...[verifyCC, verifyCPF, verifySSN],
  ...[unconditionalMatch, noMatch, rbl, geoLookup, gsbLookup],
]

/** All operators by lower-cased name, without `@`. */
export const operators: ReadonlyMap<string, OperatorFactory> = new Map(
  factories.map((factory) => [factory.name.toLowerCase(), factory]),
)
