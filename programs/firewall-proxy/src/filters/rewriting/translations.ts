import type { SnapshotTranslation } from '@palisade/proxy-protocol'
import { withoutPort } from '../../exchange/address.ts'

/** A host, with or without a port, and the beginning of a path. */
export interface Side {
  readonly host: string
  readonly prefix: string
}

/** An address in two parts. */
export interface Place {
  readonly host: string
  /** Path and query. */
  readonly target: string
}

/** Where parts of the application lie inside and outside; the longest prefixes are tried first. */
export class Translations {
  readonly #byOutside: readonly SnapshotTranslation[]
  readonly #byInside: readonly SnapshotTranslation[]

  constructor(translations: readonly SnapshotTranslation[]) {
    const prepared = translations.map(({ inside, outside }) => ({
      inside: side(inside),
      outside: side(outside),
    }))
    this.#byOutside = prepared.toSorted((a, b) => b.outside.prefix.length - a.outside.prefix.length)
    this.#byInside = prepared.toSorted((a, b) => b.inside.prefix.length - a.inside.prefix.length)
  }

  get isEmpty(): boolean {
    return this.#byInside.length === 0
  }

  /** An address of clients as servers know it; undefined when there is no translation for it. */
  toInside(place: Place): { readonly place: Place; readonly by: SnapshotTranslation } | undefined {
    for (const by of this.#byOutside) {
      const target = moved(place, by.outside, by.inside)
      if (target !== undefined) return { place: { host: by.inside.host, target }, by }
    }
    return undefined
  }

  /** An address of servers as clients know it. @param host the host by which the client has reached us */
  toOutside(place: Place, host: string): Place | undefined {
    for (const { inside, outside } of this.#byInside) {
      const target = moved(place, inside, outside)
      if (target !== undefined) return { host: isHost(host, outside.host) ? host : outside.host, target }
    }
    return undefined
  }
}

/** A prefix may be written with a "*" for the rest; without one at its end, a whole segment is meant. */
function side({ host, prefix }: Side): Side {
  return { host: host.toLowerCase(), prefix: prefix.replace(/\*.*$/, '') }
}

/** The path with another prefix; undefined when the place does not lie there. */
function moved({ host, target }: Place, from: Side, to: Side): string | undefined {
  if (!isHost(host, from.host) || !target.startsWith(from.prefix)) return undefined
  const rest = target.slice(from.prefix.length)
  if (rest !== '' && !/^[/?#]/.test(rest) && !from.prefix.endsWith('/')) return undefined
  if (to.prefix.endsWith('/')) return to.prefix + rest.replace(/^\//, '')
  return to.prefix + (rest === '' || /^[/?#]/.test(rest) ? rest : `/${rest}`)
}

/** Whether a host is the one that is meant: with its port where one is named. */
export function isHost(host: string, meant: string): boolean {
  const lower = host.toLowerCase()
  return lower === meant || (!/:\d+$/.test(meant) && withoutPort(lower) === meant)
}
