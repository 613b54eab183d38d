import { LRUCache } from 'lru-cache'
import { Reader } from 'mmdb-lib'

/** Where an address is, as far as a database says; upper case. */
export interface Place {
  readonly country?: string
  readonly continent?: string
  /** Where whoever has the address was registered, which may be elsewhere. */
  readonly registeredCountry?: string
  /** Whether it belongs to a proxy that hides its clients, or to a provider whose clients may be anywhere. */
  readonly isAnonymousProxy?: boolean
  readonly isSatelliteProvider?: boolean
}

/** How many addresses are remembered with their places. */
const rememberedMax = 10_000

const nowhere: Place = {}

/** Databases that say something else of addresses than their country. */
const otherTypes = /\b(?:ASN|ISP|Domain|Connection-Type|Anonymous-IP|User-Count)\b/i

/** The file is no database from which countries can be read; the message says why. */
export class GeoipDatabaseError extends Error {}

/** A database in the MaxMind DB format of countries or cities: that of MaxMind, DB-IP, IPinfo and others. */
export class GeoipDatabase {
  readonly #reader: Reader<never>
  readonly #remembered = new LRUCache<string, Place>({ max: rememberedMax })
  /** When it was made, in milliseconds since 1970. */
  readonly builtAt: number

  /** @throws GeoipDatabaseError */
  constructor(bytes: Buffer) {
    try {
      this.#reader = new Reader<never>(bytes)
      this.#reader.get('192.0.2.1')
    } catch {
      throw new GeoipDatabaseError('it is no database in the MaxMind DB format, or not a whole one')
    }
    const { databaseType, buildEpoch } = this.#reader.metadata
    if (otherTypes.test(databaseType)) {
      throw new GeoipDatabaseError(`it is a database of the type ${databaseType}, which has no countries`)
    }
    this.builtAt = Number(buildEpoch)
  }

  /** @param address one of IPv4 or IPv6. @returns an empty place for one of which nothing is known */
  placeOf(address: string): Place {
    const before = this.#remembered.get(address)
    if (before) return before
    const place = this.#look(address)
    this.#remembered.set(address, place)
    return place
  }

  #look(address: string): Place {
    try {
      return placeIn(this.#reader.get(address))
    } catch {
      return nowhere
    }
  }
}

/** Records of MaxMind nest what they say; those of others are flat. */
function placeIn(record: unknown): Place {
  const country = codeIn(record, 'country', 'iso_code') ?? codeIn(record, 'country_code')
  const continent = codeIn(record, 'continent', 'code') ?? codeIn(record, 'continent_code')
  const registeredCountry = codeIn(record, 'registered_country', 'iso_code')
  return {
    ...(country === undefined ? {} : { country }),
    ...(continent === undefined ? {} : { continent }),
    ...(registeredCountry === undefined ? {} : { registeredCountry }),
    ...(memberOf(record, 'traits', 'is_anonymous_proxy') === true ? { isAnonymousProxy: true } : {}),
    ...(memberOf(record, 'traits', 'is_satellite_provider') === true ? { isSatelliteProvider: true } : {}),
  }
}

/** Where a member of the path is a text already, as `country` may be, it is taken. */
function codeIn(record: unknown, ...path: readonly string[]): string | undefined {
  const value = memberOf(record, ...path) ?? memberOf(record, ...path.slice(0, 1))
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : undefined
}

function memberOf(record: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    record,
  )
}
