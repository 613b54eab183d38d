import { createHash } from 'node:crypto'
import type { SnapshotForms } from '@palisade/proxy-protocol'
import type { FormSeal, OfferedValues } from '../../exchange/form-evidence.ts'
import { Sealer } from '../sealer.ts'

/** Of a digest this many characters of base64url are kept: 72 bits. */
const digestLength = 12

/** Clocks of proxies may differ by so much. */
const clockSkewMs = 5 * 60_000

/** What was made of a seal that came back. */
export type OpenedSeal = FormSeal | 'expired' | 'not ours'

/** As it is written before it is sealed: when it was shown, where it leads, and names with their values. */
type Written = readonly [
  shownAt: number,
  paths: readonly string[],
  values: readonly (readonly [name: string, isFixed: 0 | 1, digests: string])[],
]

/**
 * Seals what a page says of its forms, for one session of one application. Nobody can read a seal or change it, and it is good for
 * nobody else.
 */
export class FormSeals {
  readonly #sealer: Sealer
  readonly #application: string
  readonly #validityMs: number

  constructor({ keys, validitySeconds }: SnapshotForms, application: string) {
    this.#sealer = new Sealer(keys, 'form')
    this.#application = application
    this.#validityMs = validitySeconds * 1000
  }

  seal({ shownAt, paths, values }: FormSeal, session: string): string {
    const written: Written = [
      shownAt,
      paths,
      Array.from(values, ([name, { isFixed, digests }]) => [
        name,
        isFixed ? 1 : 0,
        digests === 'any' ? '*' : digests.join(''),
      ]),
    ]
    return this.#sealer.seal(JSON.stringify(written), this.#context(session))
  }

  /** @param now in milliseconds since 1970 */
  open(token: string, session: string, now: number): OpenedSeal {
    const text = this.#sealer.open(token, this.#context(session))
    if (text === undefined) return 'not ours'
    const [shownAt, paths, values] = JSON.parse(text) as Written
    if (shownAt + this.#validityMs < now || shownAt > now + clockSkewMs) return 'expired'
    return { shownAt, paths, values: new Map(values.map(([name, ...rest]) => [name, offered(...rest)])) }
  }

  #context(session: string): string {
    return JSON.stringify([this.#application, session])
  }
}

function offered(isFixed: 0 | 1, digests: string): OfferedValues {
  return {
    isFixed: isFixed === 1,
    digests:
      digests === '*'
        ? 'any'
        : Array.from({ length: digests.length / digestLength }, (_, at) =>
            digests.slice(at * digestLength, (at + 1) * digestLength),
          ),
  }
}

/** By which values are compared: browsers change line ends, or leave them out. @param value a byte string */
export function valueDigest(value: string): string {
  const hash = createHash('sha256').update(value.replace(/[\r\n]/g, ''), 'latin1')
  return hash.digest('base64url').slice(0, digestLength)
}

/**
 * The same for names that are one to some server: some know no case, overlook blanks around them, or what stands behind a zero, and
 * PHP takes dots and blanks for underscores.
 *
 * @param name a byte string
 */
export function parameterKey(name: string): string {
  return name.replace(/\0.*$/s, '').trim().toLowerCase().replace(/[. ]/g, '_')
}
